"""The walk through what kopsim answers."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from kopsim.errors import message
from kopsim.faces.cli import main
from kopsim.faces.demo_commands import QUESTIONS
from kopsim.faces.help_pages import example


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_each_step_prints_what_its_command_prints(
    run, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run("demo", "--lang", lang)
    assert (answer.code, answer.err) == (0, "")
    shown = re.split(r"^\$ (.*)$", answer.out, flags=re.MULTILINE)
    steps = [step for steps in QUESTIONS.values() for step in steps]
    assert len(steps) == len(shown) // 2
    for step, line, printed in zip(steps, shown[1::2], shown[2::2], strict=True):
        typed = example(step.line, lang)
        assert line.removesuffix(f" | head -n {step.head}") == typed
        alone = run(*shlex.split(typed)[1:], "--lang", lang).out.splitlines()[: step.head]
        assert printed.lstrip("\n").startswith("\n".join(alone) + "\n")
    for question in QUESTIONS:
        assert message(question, lang) in answer.out
    assert list(tmp_path.iterdir()) == []


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)


def test_it_waits_for_enter_on_a_terminal_only(
    run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[str] = []
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda prompt: waited.append(prompt) or "")
    monkeypatch.setattr("click.termui.hidden_prompt_func", lambda prompt: waited.append(prompt) or "")
    run("demo")
    assert waited == []
    on_a_terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--no-pause"])
    assert (ended.value.code, waited) == (0, [])
    with pytest.raises(SystemExit) as ended:
        main(["demo"])
    assert ended.value.code == 0
    assert len(waited) == sum(map(len, QUESTIONS.values()))
    capsys.readouterr()


def test_ctrl_c_leaves(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("click.termui.visible_prompt_func", interrupted)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    on_a_terminal(monkeypatch)
    with pytest.raises(SystemExit) as ended:
        main(["demo"])
    assert ended.value.code == 130
    out, err = capsys.readouterr()
    assert out.count("\n$ kopsim") == 1
    assert err.splitlines()[-1] == "Interrupted."
