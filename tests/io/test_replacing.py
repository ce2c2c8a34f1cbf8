"""Files that are written: replaced whole, never over what is read."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.patience import PATIENCE, ended

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels
from howsure.io import matrix_csv
from howsure.io.replacing import replace_bytes, replace_text, spare, target_of


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize("fails", ["fsync", "replace", "write"])
def test_a_write_that_fails_leaves_the_old_file_and_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    target = tmp_path / "counts.csv"
    target.write_text("old")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if fails == "write":  # a file that cannot grow, as on a full disk
        code = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        code += "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        code += "from howsure.io.replacing import replace_text; replace_text(sys.argv[1], 'x' * 10**6)"
        ran = subprocess.run(
            [sys.executable, "-c", code, str(target)], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert "it cannot be written (File too large; the old" in ran.stderr
    else:
        monkeypatch.setattr(os, fails, full)
        with pytest.raises(InvalidFile, match=r"it cannot be written \(No space left on device;"):
            replace_text(target, "new")
    assert (names(tmp_path), target.read_text()) == (["counts.csv"], "old")


def test_a_new_file_has_the_mode_of_the_umask_and_an_old_one_its_own(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_text(tmp_path / "new.csv", "a")
    finally:
        os.umask(before)
    old = tmp_path / "old.csv"
    old.write_text("a")
    for mode in (0o600, 0o604, 0o666):
        old.chmod(mode)
        replace_text(old, "b")
        assert stat.S_IMODE(old.stat().st_mode) == mode
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o640


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    target.write_text("a")
    os.chown(target, 1234, 5678)
    replace_text(target, "b")
    assert (target.stat().st_uid, target.stat().st_gid) == (1234, 5678)


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link, dangling = tmp_path / "there" / "x.csv", tmp_path / "link.csv", tmp_path / "dangling.csv"
    target.write_text("old")
    link.symlink_to("there/x.csv")
    dangling.symlink_to("there/y.csv")
    for one in (link, dangling):
        replace_text(one, "new")
        assert one.is_symlink()
    assert (target.read_text(), (tmp_path / "there" / "y.csv").read_text()) == ("new", "new")


def test_what_is_no_file_is_refused_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "plain").write_text("x")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        for name, sentence in {
            "pipe": "this is a pipe",
            "folder": "this is a folder; name a file in it",
            "absent/": "this is a folder; name a file in it",
            "socket": "this is a socket",
            "round": "symbolic links",
            "absent/x.csv": "its folder does not exist",
            "plain/x.csv": "Not a directory",
            "a\0b": "null",
        }.items():
            with pytest.raises(InvalidFile, match=sentence):
                replace_text(f"{tmp_path}/{name}", "new")
    with pytest.raises(InvalidFile, match="the file to write: there is no such file, or"):
        replace_text("", "new")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert names(tmp_path) == ["folder", "pipe", "plain", "round", "socket"]


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_a_device_stays_a_device(device: str, tmp_path: Path) -> None:
    before = os.stat(device)
    (tmp_path / "link.csv").symlink_to(device)
    for name in (device, tmp_path / "link.csv"):
        with pytest.raises(InvalidFile, match="this is a device, and only a file can be replaced"):
            replace_text(name, "new")
    after = os.stat(device)
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)


@pytest.mark.full
@pytest.mark.parametrize("name", ["/dev/stdout", "out.csv"])
def test_standard_output_is_not_replaced_under_its_writer(tmp_path: Path, name: str) -> None:
    if name == "/dev/stdout" and not os.path.exists(name) and "CI" not in os.environ:
        pytest.skip("no /dev/stdout here")
    out = tmp_path / "out.csv"
    code = "import sys\nfrom howsure.io.replacing import replace_text\n"
    code += "print('kept', flush=True)\nreplace_text(sys.argv[1], 'x')"
    with out.open("w") as stream:
        ran = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / name)],
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    assert "this is where standard output is written already" in ran.stderr
    assert out.read_text() == "kept\n"


def refused_to_a_user(path: Path) -> str:
    """What somebody who is not root is told who writes there; in a process of its own, which gives root up."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            replace_text(path, "new")
        except InvalidFile as error:
            os.write(tell, str(error).encode())
        finally:
            os._exit(0)
    os.close(tell)
    os.waitpid(child, 0)
    with open(told, encoding="utf-8") as sentence:
        return sentence.read()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="users and modes are those of POSIX")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_write_protected_file_is_refused() -> None:
    with tempfile.TemporaryDirectory() as folder:  # that of the test belongs to its user alone
        target = Path(folder, "x.csv")
        target.write_text("old")
        target.chmod(0o444)
        os.chmod(folder, 0o777)
        assert "write-protected" in refused_to_a_user(target)
        assert target.read_text() == "old"
        target.chmod(0o666)
        os.chmod(folder, 0o555)
        assert "its folder does not allow it" in refused_to_a_user(target)
        os.chmod(folder, 0o777)


def test_permission_is_asked_for_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, _: path != str(target))
    with pytest.raises(InvalidFile, match="write-protected"):
        target_of(target)
    monkeypatch.setattr(os, "access", lambda path, _: path != str(tmp_path))
    with pytest.raises(InvalidFile, match="its folder does not allow it"):
        target_of(target)


KILLED = """
import os, signal, sys
from howsure.io import replacing
os.replace = lambda *_: (print("whole", flush=True), signal.pause())
replacing.replace_text(sys.argv[1], "unfinished")
"""


@pytest.mark.full
def test_what_a_killed_writer_leaves_is_removed_by_the_next_and_nothing_else_is(tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    writer = subprocess.Popen([sys.executable, "-c", KILLED, str(target)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    with ended(writer):
        assert writer.stdout.readline() == "whole\n"
        (left,) = names(tmp_path)
        replace_text(target, "new")  # the other is still alive, so its file stays
        assert names(tmp_path) == [left, "x.csv"]
        writer.kill()
        writer.wait(PATIENCE)
    writer.stdout.close()
    of_another = left.replace(left[9:25], "0" * 16)
    alike = [of_another, left + ".gz", f"{left[:26]}x.part", ".x.csv.lock", ".howsure"]
    for name in alike:
        (tmp_path / name).write_text("mine")
    (tmp_path / left.replace(left[26:30], "beef")).symlink_to(tmp_path / ".howsure")
    replace_bytes(target, b"newer")
    assert left not in names(tmp_path)
    assert set(alike) < set(names(tmp_path))
    assert target.read_text() == "newer"
    assert (tmp_path / ".howsure").read_text() == "mine"


def test_a_file_that_was_taken_for_a_rest_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locks = iter([True])
    real = fcntl.flock

    def late(handle: int, how: int) -> None:
        if next(locks, False):  # another writer came between the making and the locking
            (made,) = tmp_path.iterdir()
            made.unlink()
        real(handle, how)

    monkeypatch.setattr(fcntl, "flock", late)
    replace_text(tmp_path / "x.csv", "new")
    assert (names(tmp_path), (tmp_path / "x.csv").read_text()) == (["x.csv"], "new")


def test_a_file_that_another_writer_replaces_meanwhile_is_replaced_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")
    real = os.path.realpath

    def late(path: str) -> str:
        (tmp_path / "other").write_text("theirs")
        os.rename(tmp_path / "other", target)
        return real(path)

    monkeypatch.setattr(os.path, "realpath", late)
    replace_text(target, "ours")
    assert target.read_text() == "ours"


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no files without a name here")
def test_a_file_without_a_name_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "x.csv").open("w") as file:
        (tmp_path / "x.csv").unlink()
        with pytest.raises(InvalidFile, match="it has no place of its own"):
            replace_text(f"/proc/self/fd/{file.fileno()}", "new")
    assert names(tmp_path) == []


# -- a file to be written is told from all that is read, whatever it is called ----------------------------------------


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data" / "deep").mkdir(parents=True)
    for name in ("data/a.csv", "data/deep/b.csv", "plain.csv"):
        (tmp_path / name).write_text("y_true,y_pred\n")
    os.link(tmp_path / "data/deep/b.csv", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("plain.csv")
    (tmp_path / "far.csv").symlink_to("soft.csv")
    (tmp_path / "there").symlink_to("data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("out", "given", "sentence"),
    [
        ("plain.csv", "plain.csv", "which is read; write to another place"),
        ("data/../plain.csv", "plain.csv", "which is read; write to another place"),
        ("far.csv", "plain.csv", "which is read; write to another place"),
        ("plain.csv", "far.csv", "which is read; write to another place"),
        ("hard.csv", "data/deep/b.csv", "which is read; write to another place"),
        ("hard.csv", "data", "which is read; write to another place"),
        ("hard.csv", "data/**/*.csv", "which is read; write to another place"),
        ("data/new.csv", "data", "is in 'data', which is read"),
        ("there/deep/new.csv", "data", "is in 'data', which is read"),
        ("data/new.csv", "there", "is in 'there', which is read"),
        ("new.csv", ".", "is in '.', which is read"),
        ("data/new.csv", "data/*.csv", r"fits 'data/\*.csv'"),
        ("data/deep/new.csv", "data/**/*.csv", r"fits 'data/\*\*/\*.csv'"),
        ("data/new.csv", "data/**/*.csv", r"fits 'data/\*\*/\*.csv'"),
        ("part_7.csv", "part_[0-9].csv", "fits"),
        ("not_yet.csv", "not_yet.csv", "which is read; write to another place"),
    ],
)
def test_what_is_read_is_not_written(there: Path, out: str, given: str, sentence: str) -> None:
    for inputs in ([given], [None, "absent.csv", given]):
        with pytest.raises(InvalidArgument, match=sentence):
            spare(out, inputs)
        with pytest.raises(InvalidArgument, match=sentence):
            spare(str(there / out), inputs)


@pytest.mark.sweep(2, full=8)
@pytest.mark.parametrize(
    ("out", "given"),
    [
        ("new.csv", "plain.csv"),
        ("new.csv", "data"),
        ("data.csv", "data"),
        ("database/new.csv", "data"),
        ("new.csv", "data/*.csv"),
        ("data/deep/new.csv", "data/*.csv"),
        ("data/new.json", "data/*.csv"),
        ("new.csv", "-"),
    ],
)
def test_what_is_not_read_may_be_written(there: Path, out: str, given: str) -> None:
    spare(out, [given])


def test_a_folder_whose_name_is_a_pattern_is_no_pattern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a[b]").mkdir()
    monkeypatch.chdir(tmp_path / "a[b]")
    spare("x.csv", ["*.tsv"])
    with pytest.raises(InvalidArgument, match="fits"):
        spare("x.csv", ["*.csv"])


@pytest.mark.full
def test_standard_input_is_a_file_as_well(there: Path) -> None:
    code = "from howsure.io.replacing import spare\nspare('plain.csv', ['-'])"
    with (there / "plain.csv").open() as stream:
        ran = subprocess.run(
            [sys.executable, "-c", code], stdin=stream, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    assert "which is read; write to another place" in ran.stderr


# -- test_writers.py --------------------------------------------------------------------------------------------------


def test_labels_that_a_csv_cannot_hold_are_refused():
    for labels in (["a\0b", "b"], ["a", "a "]):
        with pytest.raises(InvalidLabels, match="write JSON instead"):
            matrix_csv(ConfusionMatrix([[1, 2], [3, 4]], labels))
