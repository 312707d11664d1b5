"""The base of searches whose kernels work on a memory and a transposition table."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Generic

from noughts.search.background_compile import Kernels, MachineSelector
from noughts.search.numba_backend import M, Machine

MAX_TABLE = 1 << 24
"""The default maximum of entries in a table."""


class TableSearch(Generic[M]):
    """A search that runs *kernels* on a *memory* and a table of :mod:`noughts.search.table`.

    The table has *first_entries* entries of *entry* numbers at first. The last number of an entry counts the
    work from the bit *work* on. The search runs on *machine*; without one, in Python until the kernels are
    compiled. ``enlarge`` and ``add_entries`` are among the kernels.
    """

    def __init__(
        self, memory: M, kernels: Kernels, first_entries: int, entry: int, work: int, machine: Machine | None
    ) -> None:
        self.nodes = 0
        """The number of nodes of all questions."""
        self.max_entries = MAX_TABLE
        """The number of entries up to which the table may grow."""
        self.memory = memory
        self._kernel_functions, self._entry, self._work = kernels, entry, work
        self._select_machine = MachineSelector(*kernels, machine=machine)
        machine = self._select_machine()
        self.table = machine.zeros(first_entries * entry)
        self._switch_machine(machine)

    @property
    def entries(self) -> int:
        """The number of entries of the table."""
        return len(self.table) // self._entry

    def load_table(self, numbers: Sequence[int], nodes: int) -> None:
        """Use *numbers*, the table of a similar search after *nodes* nodes, as the table."""
        self.table = self._machine.array(numbers)
        self.memory.nodes = self.nodes = nodes  # type: ignore[attr-defined]  # both memories have it

    def _switch_machine(self, machine: Machine) -> None:
        """Continue on *machine*, with copies of the memory and of the table."""
        self.memory, self.table = machine.memory(self.memory), machine.array(self.table)
        self._machine = machine
        functions = {kernel.__name__: machine.function(kernel) for kernel in self._kernel_functions}
        self.kernels = SimpleNamespace(**functions)

    def _add_entries(self, entries: Sequence[int]) -> None:
        """Add the *entries* of another table."""
        self.kernels.add_entries(self.table, self._entry, self._work, self._machine.array(entries))

    def _enlarge_table(self, wanted: int = 0) -> None:
        """Enlarge the table to :attr:`nodes` and *wanted* entries, but not beyond :attr:`max_entries`."""
        wanted = max(self.nodes, wanted)
        while wanted > self.entries and 4 * self.entries <= self.max_entries:
            larger = self._machine.zeros(4 * len(self.table))
            self.kernels.enlarge(larger, self._entry, self._work, self.table)
            self.table = larger
