"""Files as they come: anything that is no plain YAML is told with its line, and nothing breaks over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.loading.files.yaml_lines import FileProblems, parse_yaml, read_yaml


def problems(text: str) -> list[str]:
    with pytest.raises(FileProblems) as wrong:
        parse_yaml(text, "f")
    return wrong.value.problems


def test_every_value_knows_its_line() -> None:
    located = parse_yaml("a: 1\nb:\n  - x\n  - {c: 2}\n", "f")
    assert located.data == {"a": 1, "b": ["x", {"c": 2}]}
    assert located.problem(("b", 1, "c"), "no") == "f:4: no"
    assert located.problem(("b", 1, "absent"), "no") == "f:4: no"
    assert located.problem((), "no") == "f:1: no"


def test_all_keys_given_twice_are_told_at_once() -> None:
    assert problems("a: 1\nb: 2\na: 3\nc: {d: 1, d: 2}\n") == [
        "f:3: the key 'a' is given twice; keep one of them",
        "f:4: the key 'd' is given twice; keep one of them",
    ]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: [1, 2\nb: 3", 1, "is not YAML: this line has brackets that do not fit"),
        ("a:\n\t- b", 2, "is not YAML: this line is indented with a tab; use spaces"),
        ("a: *nobody", 1, "is not YAML: this line has a sign at the beginning of a text that means something else"),
        ("a: 1\n---\nb: 2", 2, "is not YAML: this line begins a second document; keep one in a file"),
        ("a: \0", 1, "is not YAML: this line holds a sign that no text has (U+0000); delete it"),
        ("a: 1\nb: &b [*b]", 2, "refers to itself; write it out"),
        ("a: &a {c: 1}\nb: {<<: *a}", 2, "`<<` is not understood here; write the keys out"),
        ("? [1]\n: 2", 1, "this key is neither a word nor a number; put it in quotes"),
        ("1.5: 2", 1, "this key is neither a word nor a number; put it in quotes"),
        ("null: 2", 1, "this key is neither a word nor a number; put it in quotes"),
        ("a: !!int ''", 1, "!!int before '' means nothing here; leave it out, or put the whole text in quotes"),
        ("a: !!bool maybe", 1, "!!bool before 'maybe' means nothing here; leave it out, or put the whole"),
        ("a: 2001-99-99", 1, "2001-99-99 is read as a date; put it in quotes if it is a text"),
        ("a: !!python/name:os.system x", 1, "!!python/name:os.system before 'x' means nothing here; leave it out"),
        ("a: !!python/name:os.system x\nb: !wizard y", 2, "!wizard before 'y' means nothing here; leave it out"),
        ("[" * 500 + "]" * 500, 1, "lies too deep in other values; at most 40 may enclose one another"),
        ("[" * 100_000, 1, "is not YAML: this line lies too deep in brackets"),
        ("\n".join(" " * depth + "a:" for depth in range(60)), 42, "lies too deep in other values"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, line: int, what: str) -> None:
    found = problems(text)
    assert any(one.startswith(f"f:{line}: {what}") for one in found), found
    assert not any("\n" in one for one in found)


def test_aliases_that_would_fill_the_memory_are_told() -> None:
    lines = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [
        f"{one}: &{one} [{', '.join(10 * [f'*{before}'])}]" for before, one in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert "says too much: more than 100000 values" in problems("\n".join(lines))[0]


def test_a_missing_file_a_folder_and_other_encodings_are_told(tmp_path: Path) -> None:
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("name: árbitro".encode("latin-1"))
    wide = tmp_path / "wide.yaml"
    wide.write_text("name: 法官", "utf-16")
    for path, what in (
        (tmp_path / "absent.yaml", "cannot be read (No such file or directory); give the path of a file"),
        (tmp_path, "is no file that holds a text; give the path of a file"),
        (latin, "is not UTF-8 text (byte 6); save it as UTF-8"),
        (wide, "is not UTF-8 text (byte 0); save it as UTF-8"),
    ):
        with pytest.raises(FileProblems) as wrong:
            read_yaml(path)
        [problem] = wrong.value.problems
        assert problem.startswith(f"{path}:1: {what}")


def test_a_mark_of_the_encoding_at_the_start_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text("name: 法官", "utf-8-sig")
    assert read_yaml(path).data == {"name": "法官"}


@given(st.text(alphabet=st.sampled_from("ab12:-[]{}&*!|>'\"#%@`,? \n\t.~<é法\0\u2028"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert all(one.startswith("f:") and "\n" not in one for one in what_is_wrong(text))


def what_is_wrong(text: str) -> list[str]:
    try:
        parse_yaml(text, "f")
    except FileProblems as wrong:
        return wrong.problems or ["nothing is said"]
    return []


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        *[(one, "write 8,") for one in ("08", "008", "0_8")],
        *[(one, "write 10,") for one in ("010", "0010", "1_0")],
        *[(one, "write 1000,") for one in ("1_000", "01_000")],
        ("-010", "write -10,"),
        *[
            (one, "write it with the digits 0 to 9,")
            for one in ("0x1F", "0X1f", "0b1", "0o10", "1:30", "10:30:00", "1:30.5", "00.5", "1_0.5")
        ],
    ],
)
@pytest.mark.parametrize("place", ["a: 1\nb: {}", "a: 1\nb: [{}]", "a:\n  {}: x", "a: 1\nb: [c, {{d: {}}}]"])
def test_a_number_that_yaml_reads_otherwise_than_people_is_told_wherever_it_stands(
    place: str, text: str, cure: str
) -> None:
    assert problems(place.format(text)) == [
        f"f:2: {text} is no plain number; {cure} or put it in quotes if it is a text"
    ]
    for quote in "'\"":
        parse_yaml(place.format(quote + text + quote), "f")


def test_zeros_before_a_number_that_reads_rightly_are_doubted() -> None:
    located = parse_yaml("a: [00, 01, 07, 007]\n02: 7\n", "f")
    assert located.data == {"a": [0, 1, 7, 7], 2: 7}
    assert located.doubts == [
        *[f"f:1: {text} is read as {int(text)}; write it so" for text in ("00", "01", "07", "007")],
        "f:2: 02 is read as 2; write it so",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(str(number), number) for number in (0, 7, 8, 10, 16, -3, 1000)],
        *[(one, float(one)) for one in ("0.5", "12.0", ".5", "1.")],
        *[(one, one) for one in ("8-10", "08-10", "1.2.3", "12:5x", "x08", "killers-2", "1e3")],
    ],
)
def test_plain_numbers_and_words_are_read_as_ever(text: str, value: object) -> None:
    located = parse_yaml(f"a: {text}", "f")
    assert (located.data, located.doubts) == ({"a": value}, [])


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("a: Killers #1", "#1"),
        ("a: killers #2", "#2"),
        ("a: Killers #one of two", "#one of two"),
        ("a: 杀人 #一", "#一"),
        ("a: [b, Killers #1\n  ]", "#1"),
        ("- Killers #1", "#1"),
        ("a: 1\nKillers: the old #10\r\nb: 2", "#10"),
    ],
)
def test_a_text_that_a_comment_cuts_short_is_doubted(text: str, cut: str) -> None:
    [doubt] = parse_yaml(text, "f").doubts
    line = text[: text.index("#")].count("\n") + 1
    assert doubt.startswith(f"f:{line}: {cut!r} behind ")


@pytest.mark.parametrize(
    "text",
    [
        "a: Killers # the first",
        "a: Killers  #",
        "a: Killers   #the old ones",
        "a: killer #the old ones",
        "a: 'Killers #1'",
        'a: "Killers" #old',
        "a: Killers#1",
        "a: b\n#1 is this",
        "a: 5 #of all",
        "a: |\n  Killers #1\n",
    ],
)
def test_what_is_a_comment_to_everybody_is_not_doubted(text: str) -> None:
    assert parse_yaml(text, "f").doubts == []
