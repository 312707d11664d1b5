"""The addresses of the server for itself and for other devices. This module is imported before the rest."""

import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress

BACKLOG = 2048

ADDRESS_OF_INTERFACE = 0x8915
"""The number of the Linux request for the IPv4 address of an interface (``SIOCGIFADDR``)."""

FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Unused addresses. The system reports the address of this machine from which it would send to them."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket that workers can inherit and that sends small responses immediately."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only a listening port makes the system report that it is taken.
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    # A socket made from its number knows its protocol. asyncio needs that to turn off the delay of small
    # packets.
    listener = socket.socket(fileno=listening.detach())
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.set_inheritable(True)
    return listener


def trusted(proxy: str) -> tuple[str, ...]:
    """Return the addresses or networks from which *proxy* may come to a socket of either family.

    Raises ValueError for other texts.

    >>> trusted("10.1.2.3/8"), trusted("::1")
    (('10.0.0.0/8', '::ffff:a00:0/104'), ('::1/128',))
    """
    network = ipaddress.ip_network(proxy.strip(), strict=False)
    if network.version == 6:
        return (str(network),)
    mapped = ipaddress.IPv6Address(f"::ffff:{network.network_address}")
    return str(network), f"{mapped}/{96 + network.prefixlen}"


def addresses_in_network(bound: str = "") -> list[str]:
    """Return the addresses at which other devices may reach this one, the likeliest first.

    Nothing is sent to find them. A server at *bound* is reachable only at addresses of the same family.
    Without *bound*, IPv6 addresses are used only if there are no others.
    """
    addresses = list(dict.fromkeys(filter(_is_reachable, _own_addresses())))
    addresses = addresses or list(dict.fromkeys(filter(_is_reachable, _addresses_of_name())))
    older = [address for address in addresses if ":" not in address]
    newer = [address for address in addresses if ":" in address]
    if bound:
        return newer if ":" in bound else older
    return older or newer


def _own_addresses() -> Iterator[str]:
    """Yield the addresses of this machine. Some may be repeated."""
    for family, far in FAR_AWAY:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((far, 9))  # UDP: nothing is sent.
            yield str(asking.getsockname()[0])
    yield from _addresses_of_interfaces() if sys.platform == "linux" else _addresses_of_name()


def _addresses_of_name() -> Iterator[str]:
    """Yield the addresses of this machine's name. In a broken network this takes seconds."""
    with suppress(OSError, UnicodeError):
        for _, _, _, _, place in socket.getaddrinfo(socket.gethostname(), None):
            yield str(place[0])


def _addresses_of_interfaces() -> Iterator[str]:
    """Yield the IPv4 address of each network interface, including those of isolated networks."""
    from fcntl import ioctl

    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # It has no address.
                answer = ioctl(asking.fileno(), ADDRESS_OF_INTERFACE, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])


def _is_reachable(text: str) -> bool:
    """Return True if other devices of the network can send to the address *text*."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:  # It is an IPv6 address of one interface only.
        return False
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def url_of(host: str, port: int) -> str:
    """Return the URL of the server that listens at *host* and *port*.

    >>> url_of("::1", 8000)
    'http://[::1]:8000/'
    """
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_loopback(address: str) -> bool:
    """Return True if only this machine can send to *address*.

    >>> is_loopback("127.0.0.2"), is_loopback("192.168.1.5")
    (True, False)
    """
    return ipaddress.ip_address(address).is_loopback
