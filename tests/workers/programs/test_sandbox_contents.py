"""The contents of a sandbox: the folder of the program and its Python, whatever files the author added."""

import os
import pwd
import socket
import sys
from pathlib import Path

import pytest

from noughts.workers.programs import sandbox_contents as module
from noughts.workers.programs.sandbox_contents import UnshowableError, is_protected, sandbox_contents


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a key, in a folder without other protected folders."""
    (tmp_path / "home/.ssh").mkdir(parents=True)
    (tmp_path / "home/.ssh/key").write_text("secret")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(module, "MOUNTS", tmp_path / "mounts")
    (tmp_path / "mounts").write_text("1 1 1:1 / / rw - ext4 /dev/a rw\n")
    return tmp_path / "home"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The folder of a bot, with its program in ``bin``."""
    return program(tmp_path / "bots/evil/bin/run").parents[1]


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def environment(folder: Path, python: Path, *files: Path, home: Path | None = None) -> Path:
    """Return the Python of a virtual environment that takes packages from *files*."""
    packages = folder / "lib/python3.13/site-packages"
    packages.mkdir(parents=True)
    (packages / "written_here.pth").write_text("import os\n" + "".join(f"{file}\n" for file in files))
    (packages / "cannot_be_read.pth").mkdir()
    (folder / "pyvenv.cfg").write_text(f"home = {home or python.parent}\nversion = 3\n")
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin/python").symlink_to(python)
    return folder / "bin/python"


def installation(folder: Path) -> Path:
    program(folder / "lib/python3.13/os.py")
    return program(folder / "bin/python3.13")


def places(*words: object) -> list[Path]:
    return list(sandbox_contents([str(word) for word in words]).places)


def refusal(*words: object) -> tuple[str, str]:
    with pytest.raises(UnshowableError) as caught:
        places(*words)
    return caught.value.reason, caught.value.path


def test_contents_are_the_folders_of_the_words(bot: Path, tmp_path: Path) -> None:
    book = program(tmp_path / "books/one.txt")
    assert places(bot / "bin/run", book) == [bot, book.parent]
    assert places(bot / "bin/run", book.parent) == [bot, book.parent]
    assert places("/usr/bin/env", "/nowhere/at/all", "--level", "book.txt", f"--book={book}") == []
    assert places("/dev/null", "/dev/shm/..", "/proc/self/status") == []


def test_paths_are_resolved_first(bot: Path, tmp_path: Path, home: Path) -> None:
    (home / "bots").symlink_to(tmp_path / "bots")
    away = home / "../home/bots/evil/bin/../bin/run"
    result = sandbox_contents([str(away), "/opt/../usr/bin/env", f"/proc/self/root{bot}/bin"])
    assert result.command == (f"{bot}/bin/run", "/usr/bin/env", f"{bot}/bin")
    assert list(result.places) == [bot]
    about = bot.stat()
    assert result.identities() == [f"{about.st_dev}:{about.st_ino}:{bot}"]


def test_protected_folder_shows_single_files(home: Path, tmp_path: Path) -> None:
    script, tool = program(home / "bot.py"), program(home / "bin/run")
    assert places(script, tool, "/etc/passwd") == [script, tool.parent, Path("/etc/passwd")]
    (home / "link.py").symlink_to(script)
    assert sandbox_contents([str(home / "link.py")]).command == (str(script),)


def test_home_link_must_lead_to_a_neighbour(home: Path, bot: Path) -> None:
    """An archive that is unpacked in the home may contain links, which must not show their targets."""
    program(home / "work/notes")
    for name, target in [("key.txt", ".ssh/key"), ("book.txt", "work/notes"), ("books", "work")]:
        (home / name).symlink_to(target)
        assert refusal(bot / "bin/run", home / name) == ("link", str(home / name))
    assert places(home / "books/notes") == [home / "work"]


def test_links_of_other_users_are_not_followed(
    home: Path, bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "bots").symlink_to(bot)
    home.chmod(0o1777)
    assert places(home / "bots/bin/run") == [bot]
    monkeypatch.setattr(os, "getuid", lambda: 54_321)
    os.chown(home / "bots", 12_345, -1, follow_symlinks=False)
    assert refusal(home / "bots/bin/run") == ("link", str(home / "bots"))


def test_downloads_are_never_shown_whole(home: Path) -> None:
    (home / ".config").mkdir()
    (home / ".config/user-dirs.dirs").write_text('XDG_DOWNLOAD_DIR="$HOME/Загрузки"\nXDG_X_DIR="/opt"\n')
    for folder in ("Downloads", "Загрузки"):
        assert places(program(home / folder / "bot.py")) == [home / folder / "bot.py"]
        assert places(program(home / folder / "one/bot.py")) == [home / folder / "one"]
    (home / ".config/user-dirs.dirs").unlink()
    os.mkfifo(home / ".config/user-dirs.dirs")  # reading it must not block
    assert places(program(home / "Downloads/bot.py")) == [home / "Downloads/bot.py"]


@pytest.mark.parametrize(
    "folder",
    ["/", "/opt/..", "/opt", "/etc", "/etc/ssl/..", "/proc/self/root", "HOME", "HOME/..", "HOME/.ssh"],
)
def test_protected_folders_are_refused(folder: str, home: Path, bot: Path) -> None:
    path = folder.replace("HOME", str(home))
    assert refusal(bot / "bin/run", path) == ("folder", os.path.realpath(path))


def test_other_homes_are_never_shown_whole(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HOMES", home.parent / "homes")
    monkeypatch.setattr(module, "HOME_PARTS", len(home.parts) + 1)
    other = home.parent / "homes/alice"
    for name in ("run", "bin/run", ".ssh/run"):
        assert places(program(other / name)) == ([other / "bin"] if name == "bin/run" else [other / name])
    assert places(program(other / "bots/bin/run")) == [other / "bots"]


def test_home_is_protected_despite_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert is_protected(home)
    monkeypatch.setattr(pwd, "getpwuid", lambda user: {}[user])
    assert is_protected(Path("/"))
    assert is_protected(Path("/nowhere/at/all"))


def test_folders_of_one_program_are_not_protected(bot: Path, home: Path) -> None:
    assert not is_protected(bot)
    (home / "bots").mkdir()
    assert not is_protected(home / "bots")


@pytest.mark.parametrize("target", [".ssh/key", ".ssh", "../home", "other/run"])
@pytest.mark.parametrize("link", ["book", "bin/run", "data/deep/book"])
def test_links_out_of_the_folder_are_refused(target: str, link: str, bot: Path, home: Path) -> None:
    program(home / "other/run")
    path = bot / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(home / target)
    word = path / "key" if target == ".ssh" else path
    assert refusal(word) == ("link", str(path))
    (bot / "first").symlink_to(path)
    assert refusal(bot / "first")[0] == "link"


def test_inner_and_system_links_are_followed(bot: Path) -> None:
    (bot / "bin/again").symlink_to("../bin/run")
    (bot / "bin/env").symlink_to("/usr/bin/env")
    (bot / "data").symlink_to("bin")
    result = sandbox_contents([f"{bot}/bin/again", f"{bot}/bin/env", f"{bot}/data/run"])
    assert result.command == (f"{bot}/bin/again", f"{bot}/bin/env", f"{bot}/bin/run")
    assert list(result.places) == [bot]
    (bot / "loop").symlink_to("loop")
    assert places(bot / "bin/run", bot / "loop") == [bot]


def test_links_of_the_system_are_followed(bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = tmp_path / "usr"
    system.mkdir()
    (system / "run").symlink_to(bot / "bin/run")
    monkeypatch.setattr(module, "SYSTEM", (system,))
    assert sandbox_contents([f"{system}/run"]).command == (f"{bot}/bin/run",)


def test_files_of_the_author_add_nothing(bot: Path, home: Path, tmp_path: Path) -> None:
    """The environment is the bot's folder, or is in the folder, or is beside it."""
    python = installation(tmp_path / "python")
    environment(bot, python, home / ".ssh", Path("/opt/.."), home=home / ".ssh")
    assert places(bot / "bin/run") == [bot, tmp_path / "python"]
    script = program(tmp_path / "project/deep/bot.py")
    own = environment(tmp_path / "project/venv", python, home / ".ssh", home=home / ".ssh/bin")
    for words in [(own,), (own, script), (own, script.parents[1])]:
        assert {*places(*words)} <= {*script.parents[:2], own.parents[1], tmp_path / "python"}


def test_only_python_installations_are_shown_by_links(bot: Path, home: Path, tmp_path: Path) -> None:
    false = program(tmp_path / "secret/bin/python3")
    assert refusal(environment(bot, false)) == ("link", str(bot / "bin/python"))
    home_python = installation(home)
    (bot / "bin/python").unlink()
    (bot / "bin/python").symlink_to(home_python)
    assert refusal(bot / "bin/python") == ("link", str(bot / "bin/python"))


def test_trusted_environments_show_editable_packages(
    bot: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, name = installation(tmp_path / "pythons/3.13.1"), tmp_path / "pythons/3.13"
    name.symlink_to("3.13.1")
    copied, source = program(tmp_path / "base/bin/python").parents[1], tmp_path / "source"
    source.mkdir()
    python = environment(
        home / "venv", name / "bin/python3.13", source, home, tmp_path / "no", home=copied / "bin"
    )
    expected = [home / "venv", name, real.parents[1], copied, source, bot]
    assert places(python, bot / "bin/run") == expected
    result = sandbox_contents([str(python), str(bot / "bin/run")])
    assert (result.command[0], result.places[name]) == (str(python), real.parents[1])
    assert places(python) == [home / "venv", name, real.parents[1]]  # it may belong to a bot
    tool = program(home / "venv/bin/tool")
    assert places(tool, bot / "bin/run") == [home / "venv", name, real.parents[1], bot]
    monkeypatch.setattr(sys, "prefix", str(home / "venv"))
    assert places(python) == expected[:-1]  # it is the environment of this process
    (home / "venv/pyvenv.cfg").write_text(f"home = {home}/.ssh/..\nhome = relative\n")
    assert places(python) == [home / "venv", name, real.parents[1], source]


def test_own_files_are_shown_alone(bot: Path, tmp_path: Path, home: Path) -> None:
    launcher = program(tmp_path / "noughts/launcher.py")
    result = sandbox_contents([str(bot / "bin/run")], [str(launcher), str(home), str(bot)])
    assert list(result.places) == [bot, launcher]


def test_sockets_and_pipes_are_refused(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(bot / "pipe")
    assert refusal(bot / "bin/run") == ("special", str(bot / "pipe"))
    assert refusal(bot / "pipe") == ("special", str(bot / "pipe"))
    (bot / "pipe").unlink()
    deep = bot / "a/b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)  # names of sockets must be short
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("sock")
    assert refusal(bot / "bin/run") == ("special", str(deep / "sock"))


def test_mounts_inside_are_refused(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "mounts").write_text(f"1 1 1:1 /home {bot}/a\\040b rw\n2 2 2:2 / {bot} rw\n")
    assert refusal(bot / "bin/run") == ("mount", f"{bot}/a b")
    (tmp_path / "mounts").write_text(f"2 2 2:2 / {bot} rw\n")
    assert places(bot / "bin/run") == [bot]


def test_folders_with_too_many_files_are_refused(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 1)
    assert refusal(bot / "bin/run") == ("large", str(bot))


def test_files_of_the_superuser_alone_are_refused(bot: Path, home: Path) -> None:
    run, alone = bot / "bin/run", program(home / "alone")
    assert list(sandbox_contents([str(run), str(alone)], is_superuser=True).places) == [bot, alone]
    for path, mode in [(run, 0o700), (bot / "bin", 0o750), (bot, 0o700), (alone, 0o600)]:
        before = path.stat().st_mode
        path.chmod(mode)
        assert places(run, alone) == [bot, alone]
        with pytest.raises(UnshowableError) as caught:
            sandbox_contents([str(run), str(alone)], is_superuser=True)
        assert (caught.value.reason, caught.value.path) == ("private", str(path))
        path.chmod(before)
