"""A rule file of one's own: as its base until something is uncommented, and then changed in just that."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from positions import FIXTURES
from test_rules_faces import BASKA, GORZOW, HEAD, KOSCIAN, LANGS, plain

from kopsim import load_rules, rule_ids
from kopsim.rules import model, read_rules


def begun(run, path: Path, base: str, lang: str = "en") -> list[str]:
    """The lines of a new rule file."""
    answer = run("rules", "new", str(path), "--base", base, "--lang", lang)
    assert (answer.code, answer.err) == (0, "")
    return path.read_text(encoding="utf-8").splitlines()


def as_base(rules: model.RuleSet, base: model.RuleSet) -> bool:
    """Whether two rule sets are the same but for what they are called."""
    names = {"id": "x", "name": base.name, "source": base.source}
    return msgspec.structs.replace(rules, **names) == msgspec.structs.replace(base, **names)


BASES = [*rule_ids(), *(str(FIXTURES / f"{name}.toml") for name in ("belote", "kierki"))]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("base", BASES)
def test_a_new_file_is_its_base_whatever_is_uncommented(run, tmp_path: Path, base: str, lang: str) -> None:
    path = tmp_path / "nasz klub.toml"
    lines = begun(run, path, base, lang)
    assert run("rules", "check", str(path), "--json").data["id"] == "nasz-klub"
    wanted = load_rules(base)
    assert as_base(read_rules(path), wanted)
    assert run("rules", "diff", str(path), base).out.endswith("say the same.\n")

    head = [line for line in lines if line and not line.startswith("#")]
    assert [line.partition(" = ")[0] for line in head] == ["base", "id", "name", "source"]
    uncommented = [line.removeprefix("# ") for line in lines]
    tried = tmp_path / "tried.toml"

    def accepted(*texts: str) -> bool:
        tried.write_text("\n".join([*head, *texts]), encoding="utf-8")
        return as_base(read_rules(tried), wanted)

    tables: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("# ["):
            tables[line.removeprefix("# ")] = []
        elif line.startswith("# "):
            list(tables.values())[-1].append(line.removeprefix("# "))
        else:
            assert not line or line.startswith("## ") or line in head
    for heading, entries in tables.items():
        assert accepted(heading)
        assert accepted(heading, *entries)
        for entry in entries:
            assert accepted(heading, entry), entry
    tried.write_text("\n".join(uncommented), encoding="utf-8")
    assert as_base(read_rules(tried), wanted)
    # Without its base it says all the same.
    alone = [line for line in uncommented if not line.startswith("base = ")]
    tried.write_text("\n".join(alone), encoding="utf-8")
    assert as_base(read_rules(tried), wanted)


@pytest.mark.parametrize("lang", LANGS)
def test_a_new_file_explains_every_key(run, tmp_path: Path, lang: str) -> None:
    lines = begun(run, tmp_path / "club.toml", BASKA, lang)
    for kind in (model.Pack, model.Seats, model.Order, model.Doubling, model.Contract, model.Misplay, model.Tournament):
        for field in msgspec.structs.fields(kind):
            assert any(line.startswith(f"## {field.name}: ") for line in lines), field.name
    explained = plain(" ".join(line.lstrip("# ") for line in lines if line.startswith("##")))
    for words in {
        "en": ["told by what differs from baska-z-asem", '"beat": a card that beats the best'],
        "pl": ["opisane tym, czym różnią się od baska-z-asem", '"beat": karta bijąca najwyższą'],
    }[lang]:
        assert words in explained
    assert "kopsim rules check club.toml" in explained
    # Every value that a key may have is named.
    for value in ("follow-beat", "anticlockwise", "holders", "honour", "no-trick", "any-turn", "last-caller-loses"):
        assert value in explained
    assert max(map(len, (line for line in lines if line.startswith("##")))) <= 100


def test_a_new_file_is_for_changing(run, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    text = "\n".join(begun(run, path, KOSCIAN))
    place = text.index("# [contracts.zolo]")
    path.write_text(
        text[:place]
        + text[place:]
        .replace("# [contracts.zolo]", "[contracts.zolo]", 1)
        .replace("# value = { made = 5 }", "value = { made = 6 }", 1)
        .replace("# lost_value = 5", "lost_value = 7", 1),
        encoding="utf-8",
    )
    assert [
        tuple(each.values()) for each in run("rules", "diff", KOSCIAN, str(path), "--json").data["differences"]
    ] == [
        ("contracts.zolo.value.made", 5, 6),
        ("contracts.zolo.lost_value", 5, 7),
    ]
    copied = re.search(r"# \[contracts\.zolo-du\]\n(# .*\n)*", text)
    assert copied
    table = copied[0].replace("# ", "").replace("[contracts.zolo-du]", "[contracts.solo]")
    path.write_text(f"{text}\n{table}[contracts]\ncicha = false\n", encoding="utf-8")
    assert list(read_rules(path).contracts) == ["game", "wesele", "zolo", "zolo-du", "zolo-du-honour", "solo"]


def test_a_new_file_upon_a_file(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A base is named as seen from the new file, and may have a base itself."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    monkeypatch.chdir(tmp_path)
    begun(run, Path("one/club.toml"), KOSCIAN)
    lines = begun(run, Path("two/house.toml"), "./one/club.toml")
    assert 'base = "../one/club.toml"' in lines
    monkeypatch.chdir("two")
    assert as_base(read_rules(Path("house.toml")), load_rules(KOSCIAN))
    Path("plain").write_text(Path("house.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert 'base = "./plain"' in begun(run, Path("third.toml"), "./plain")
    assert as_base(read_rules(Path("third.toml")), load_rules(KOSCIAN))


@pytest.mark.parametrize(
    ("name", "rules_id", "title"),
    [
        ("Żółty klub.toml", "zolty-klub", "Żółty klub"),
        ("ŁÓDŹ_2024.TOML", "lodz-2024", "ŁÓDŹ 2024"),
        ("-- kop!! (my) --.toml", "kop-my", "Kop!! (my)"),
        ('a"b\\c.toml', "a-b-c", 'A"b\\c'),
        ("a\nb = 1 \x7f.toml", "a-b-1", "A b = 1"),
    ],
)
def test_id_and_name_come_from_the_file(run, tmp_path: Path, name: str, rules_id: str, title: str) -> None:
    path = tmp_path / name
    answer = run("rules", "new", str(path), "--json")
    assert answer.data == {"file": str(path), "id": rules_id, "base": GORZOW}
    known = read_rules(path)
    assert (known.id, known.name.pl, known.name.en) == (rules_id, title, title)
    assert title in known.source.pl
    assert known.source.pl != known.source.en


def test_what_to_do_with_a_new_file_is_said(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    english = run("rules", "new", "club.toml", "--rules", KOSCIAN).out
    assert english.splitlines()[0] == "club.toml: rules “club”, as kop-koscian until you change them."
    assert english.endswith("\nkopsim rules check club.toml\n")
    polish = run("rules", "new", "nasz klub.toml", "--lang", "pl").out
    assert "takie jak kop-gorzow-2014" in polish
    assert polish.endswith('\nkopsim rules check "nasz klub.toml"\n')
    assert as_base(read_rules(Path("club.toml")), load_rules(KOSCIAN))


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["diff", GORZOW], "B is missing"),
        (["diff"], "A is missing"),
        (["diff", GORZOW, "kop-poznan"], "no rule set “kop-poznan”"),
        (["diff", "kop-poznan", GORZOW], "no rule set “kop-poznan”"),
        (["diff", GORZOW, "none.toml"], "none.toml: cannot be read (there is no such file)"),
        (["diff", GORZOW, KOSCIAN, BASKA], "words that kopsim rules diff does not take"),
        (["new"], "FILE is missing"),
        (["new", "club.txt"], "club.txt: the name of a rule file must end in .toml"),
        (["new", "club"], "must end in .toml"),
        (["new", ".toml"], "must end in .toml"),
        (["new", "there.toml"], "there.toml is there already"),
        (["new", "there.toml", "--base", "kop-poznan"], "there.toml is there already"),
        (["new", "folder.toml"], "folder.toml is there already"),
        (["new", "_Ж_.toml"], "must have letters a to z or digits"),
        (["new", "Kop Kościan.toml"], "there are rules with the id “kop-koscian” already"),
        (["new", "sub/there.toml", "--base", "there.toml"], "there are rules with the id “there” already"),
        (["new", "club.toml", "--base", "kop-poznan"], "no rule set “kop-poznan”"),
        (["new", "club.toml", "--base", ""], "no rule set “”"),
        (["new", "club.toml", "--base", "none.toml"], "none.toml: cannot be read"),
        (["new", "club.toml", "--base", "bad.toml"], "bad.toml, line 6, column 8: at contracts.zolo.rank"),
        (["new", "nowhere/club.toml"], "nowhere/club.toml cannot be written: there is no such file"),
        (["new", "club.toml", "b.toml"], "words that kopsim rules new does not take"),
    ],
)
def test_wrong_input_gets_one_sentence(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.toml").write_text(HEAD.format(base=GORZOW).replace("changed", "there"), encoding="utf-8")
    (tmp_path / "bad.toml").write_text(HEAD.format(base=GORZOW) + "[contracts.zolo]\nrank = -1\n", encoding="utf-8")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "sub").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for lang in LANGS:
        answer = run("rules", *args, "--lang", lang)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert lang == "pl" or reason in answer.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_new_file_beside_a_broken_link_is_refused(run, tmp_path: Path) -> None:
    link = tmp_path / "club.toml"
    link.symlink_to(tmp_path / "gone.toml")
    answer = run("rules", "new", str(link))
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "gone.toml").exists()
