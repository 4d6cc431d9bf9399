"""Every text is read as editors save it, from a file or standard input; what cannot be read or written says why."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kopsim.calling_range import CallingRanges, write_ranges
from kopsim.cards import parse_cards
from kopsim.errors import KopsimError
from kopsim.resources import data_path
from kopsim.rules import load_rules
from kopsim.table_file import write_whole
from kopsim.text_file import read_text
from kopsim.throwdowns.certificates import write_certificate
from kopsim.throwdowns.proofs import certify

KOP = load_rules()
DEAL = (
    "deal: J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥\n"
    "calls: 2: pas, 3: pas, 4: zolo, 1: kontra, pas, pas, pas\n"
    "play: J♠ J♣ 10♦ Q♥\n 10♠ 10♣ J♦ A♦\n Q♦ 10♥ A♠ A♥\n Q♠ Q♣ J♥ A♣\n"
)
SHORT = ["--deals", "8", "--seat", "4", "--contract", "zolo"]
Saved = Callable[[str], bytes]
WAYS: dict[str, Saved] = {
    "mark": lambda text: text.encode("utf-8-sig"),
    "windows": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
    "old mac": lambda text: text.replace("\n", "\r").encode(),
}
OTHERS = [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-32", "UTF-32"), ("cp1250", "Windows-1250")]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A text of every kind that a command reads, by the command."""
    folder = tmp_path_factory.mktemp("desk")
    write_certificate(certify("A♥ 10♣ 10♠ 10♥", seat=4, contract="zolo"), folder / "proof.json")
    hands = frozenset({frozenset(parse_cards("A♥ 10♣ Q♥ J♦"))})
    write_ranges(CallingRanges(KOP, {("zolo", seat): hands for seat in (1, 2, 3, 4)}), folder / "range.toml")
    return {
        "rules": data_path("rules", "kop-gorzow-2014.toml").read_text(encoding="utf-8"),
        "list": data_path("throwdowns", "kop-koscian.toml").read_text(encoding="utf-8"),
        "certificate": (folder / "proof.json").read_text(encoding="utf-8"),
        "ranges": (folder / "range.toml").read_text(encoding="utf-8"),
        "hands": "A♥ 10♣ Q♥ J♦\n# trzecia\nA♥ 10♠ Q♥ J♦\n",
        "deal": DEAL,
    }


COMMANDS = {
    "rules": ["rules", "check", "FILE"],
    "list": ["throwdowns", "verify", "--list", "FILE"],
    "certificate": ["throwdowns", "check", "FILE"],
    "ranges": ["play-out", "AhTsQcAd", *SHORT, "--range", "FILE"],
    "hands": ["play-out", "AhTsQcAd", *SHORT, "--range", "FILE"],
    "deal": ["analyse", "FILE"],
}
QUICK = [kind for kind in COMMANDS if kind not in ("certificate", "list")]  # which prove something first


def with_file(kind: str, file: str) -> list[str]:
    return [file if word == "FILE" else word for word in COMMANDS[kind]]


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_text_is_read_as_it_was_saved(run, desk: dict[str, str], kind: str, tmp_path: Path) -> None:
    path = tmp_path / ("text.toml" if kind in ("rules", "list", "ranges") else "text.txt")
    for way in WAYS.values() if kind in QUICK else (WAYS["windows"],):
        path.write_bytes(way(desk[kind]))
        answer = run(*with_file(kind, str(path)))
        assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("kind", COMMANDS)
@pytest.mark.parametrize(("encoding", "name"), OTHERS)
def test_another_encoding_is_named(
    run, desk: dict[str, str], kind: str, encoding: str, name: str, tmp_path: Path
) -> None:
    text = "# Gorzów, żółć\n" + desk[kind].replace("♥", "h").replace("♣", "c").replace("♠", "s").replace("♦", "d")
    path = tmp_path / ("text.toml" if kind in ("rules", "list", "ranges") else "text.txt")
    path.write_bytes(text.encode(encoding))
    for lang, do in (("en", "save it as UTF-8"), ("pl", "zapisz go w edytorze jako UTF-8")):
        answer = run(*with_file(kind, str(path)), "--lang", lang)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert name in answer.err
        assert do in answer.err


def test_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for content, reason in (
        ("„ą”\nŚwięta".encode("iso8859-2", "ignore"), "line 1 is not UTF-8; the file seems to be saved as ISO 8859-2"),
        (b"KOPSIM\0\1\2\3\4\5\6\7\x08\x09", "it is not a text"),
        (b"a\r\nb\rc\xb9", "line 3 is not UTF-8; the file seems to be saved as Windows-1250"),
    ):
        path.write_bytes(content)
        with pytest.raises(KopsimError, match=reason):
            read_text(path)
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(path) == "a\nb\nc\n"


@pytest.mark.parametrize("kind", QUICK)
def test_a_dash_is_standard_input(run, desk: dict[str, str], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WAYS["windows"](desk[kind]))))
    answer = run(*with_file(kind, "-"))
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("kind", COMMANDS)
def test_nothing_on_standard_input(run, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for stdin in (None, io.TextIOWrapper(io.BytesIO(b"")), io.TextIOWrapper(io.BytesIO(b"\r\n"))):
        monkeypatch.setattr("sys.stdin", stdin)
        answer = run(*with_file(kind, "-"))
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert "there is nothing on standard input" in answer.err


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A command line of kopsim run by a shell, in English."""
    line = line.replace("kopsim", f"{sys.executable} -c 'from kopsim.faces.cli import main; main()'", 1)
    setting = {**os.environ, "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
    return subprocess.run(["sh", "-c", line], capture_output=True, encoding="utf-8", check=False, env=setting)


def test_streams_closed_by_the_shell(tmp_path: Path) -> None:
    for line in ("kopsim analyse - <&-", "kopsim rules check - <&-", "kopsim odds AhTsQcAd --rules - <&-"):
        ended = shell(line)
        assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
        assert "nothing on standard input" in ended.stderr
    for line in (f"kopsim rules new {tmp_path}/a-club.toml >&-", "kopsim rules list --json >&-", "kopsim --help >&-"):
        ended = shell(line)
        assert (ended.returncode, ended.stderr) == (2, "The output cannot be written: it is closed.\n")
    assert shell("kopsim odds AhTs 2>&-").returncode == 2
    # Nothing is read where nothing is asked for.
    assert shell("kopsim rules list <&-").returncode == 0


OUTPUTS = [
    ["throwdowns", "certify", "A♥ 10♣ 10♠ 10♥", "--seat", "4", "--contract", "zolo", "--out", "OUT"],
    ["rules", "new", "OUT.toml"],
    ["book", "--out", "OUT.pdf"],
    ["site", "build", "--out", "OUT"],
    ["tablebase", "build", "--out", "OUT"],
    ["range", "build", "--out", "OUT.toml"],
    ["table", "build", "--method", "play-out", "--contract", "zolo", "--out", "OUT"],
]


@pytest.mark.parametrize("args", OUTPUTS, ids=" ".join)
def test_an_output_without_a_folder_is_refused(run, args: list[str], tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("a file, not a folder", encoding="utf-8")
    answer = run(*(word.replace("OUT", str(tmp_path / "plain" / "x")) for word in args))
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "cannot be written" in answer.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk is a device")
def test_a_device_is_written_into_and_not_replaced(run, tmp_path: Path) -> None:
    with pytest.raises(KopsimError, match="the disk is full"):
        write_whole(Path("/dev/full"), b"x")
    assert Path("/dev/full").is_char_device()
    answer = run("throwdowns", "certify", "A♥ 10♣ 10♠ 10♥", "--seat", "4", "--contract", "zolo", "--out", "/dev/full")
    assert (answer.code, answer.err) == (2, "/dev/full cannot be written: the disk is full.\n")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"whole")
    assert os.read(reader, 9) == b"whole"
    os.close(reader)
