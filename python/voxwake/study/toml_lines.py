"""Reads TOML files with the line of each key, for error messages. tomllib alone returns only the values."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, NoReturn, Tuple, Union

from voxwake._errors import Error

try:
    import tomllib
except ImportError:  # Python 3.10 and older
    tomllib = None  # type: ignore[assignment]

__all__ = ["Section", "fail", "parse_toml"]

Path = Tuple[Union[str, int], ...]
_KEY = re.compile(
    r"""\s*((?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'))*)\s*"""
)


def fail(file: str, line: int, key: str, found: str, expected: str, hint: str = "") -> NoReturn:
    """Raise an error about a value, in the form of all errors of the package."""
    place = f"{file}:{line}: " if line else f"{file}: " if file else ""
    text = place + (f"{key} = {found}" if found else key) + (": " if key or found else "") + expected
    if hint:
        text += f" (did you mean {hint}?)"
    error = Error(text)
    error.file, error.line, error.key, error.found, error.expected, error.hint = file, line, key, found, expected, hint
    raise error


def parse_toml(text: str, file: str) -> Tuple[Dict[str, Any], Dict[Path, int]]:
    """Return the values of a TOML text, and the line of each key by path. Paths contain indices of array elements."""
    if tomllib is None:
        fail(file, 0, "", "", "studies need Python 3.11 or later, which reads TOML")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        sentence = str(error)
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", sentence)
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        fail(file, line, "", "", (sentence[: place.start()] if place else sentence).rstrip(".") + " (TOML)")
    except (ValueError, RecursionError):  # tomllib does not convert these errors
        fail(file, 0, "", "", "contains a number of thousands of digits or too many nested brackets (TOML)")
    try:
        return values, _lines_of(text)
    except (IndexError, ValueError):  # an unusual text, such as a key with escaped quotes; its errors name no lines
        return values, {}


def _words(dotted: str) -> Path:
    parts = re.findall(r"""[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'""", dotted)
    return tuple(part.strip("\"'") for part in parts)


def _lines_of(text: str) -> Dict[Path, int]:
    """Find the lines of the keys of a valid TOML text. Keys of inline tables are not listed."""
    lines: Dict[Path, int] = {}
    counts: Dict[Path, int] = {}
    table: Path = ()
    at, line = 0, 1

    def placed(words: Path) -> Path:
        """Insert the index of the newest element after each array of tables."""
        path: Path = ()
        for word in words:
            path += (word,)
            if path in counts:
                path += (counts[path] - 1,)
        return path

    while at < len(text):
        if text[at] in " \t\r\n":
            line += text[at] == "\n"
            at += 1
        elif text[at] == "#":
            at = _end_of_line(text, at)
        elif text[at] == "[":
            end = text.index("]", at)
            words = _words(text[at:end].strip("[ \t"))
            if text.startswith("[[", at):
                head = placed(words[:-1]) + words[-1:]
                counts[head] = counts.get(head, 0) + 1
                table = head + (counts[head] - 1,)
            else:
                table = placed(words)
            lines.setdefault(table, line)
            at = _end_of_line(text, end)
        else:
            key = _KEY.match(text, at)
            if key is None or not text.startswith("=", key.end()):
                at = _end_of_line(text, at)
                continue
            lines.setdefault(table + _words(key[1]), line)
            end = _end_of_value(text, key.end() + 1)
            line += text.count("\n", at, end)
            at = end
    return lines


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _end_of_value(text: str, at: int) -> int:
    """Return the end of the value that begins at ``at``: the first line end outside strings and brackets."""
    depth = 0
    while at < len(text):
        three, one = text[at : at + 3], text[at]
        if three in ('"""', "'''"):
            at += 3
            while not text.startswith(three, at):
                at += 2 if text[at] == "\\" and one == '"' else 1
            at += 3
            while at < len(text) and text[at] == one:  # the text of the string may end with quotes
                at += 1
            continue
        if one in "\"'":
            at += 1
            while text[at] != one:
                at += 2 if text[at] == "\\" and one == '"' else 1
        elif one == "#":
            at = _end_of_line(text, at)
            continue
        elif one in "[{":
            depth += 1
        elif one in "]}":
            depth -= 1
        elif one == "\n" and depth == 0:
            return at
        at += 1
    return at


class Section:
    """A table of a file whose values are read with checks. Errors name file, line, key, found and expected."""

    def __init__(self, values: Any, file: str, lines: Mapping[Path, int], path: Path = ()) -> None:
        self.file, self.lines, self.path = file, lines, path
        self.values: Dict[str, Any] = values if isinstance(values, dict) else {}
        self.used: List[str] = []
        if not isinstance(values, dict):
            self.fail("", values, "must be a table")

    def name_of(self, key: str = "") -> str:
        """Key as it is shown in messages: ``parameter[1].range``."""
        text = ""
        for word in self.path + ((key,) if key else ()):
            text += f"[{word + 1}]" if isinstance(word, int) else ("." if text else "") + word
        return text

    def line_of(self, key: str = "") -> int:
        path = self.path + ((key,) if key else ())
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 0)

    def fail(self, key: str, found: Any, expected: str, hint: str = "") -> NoReturn:
        shown = "" if found is None else _shown(found)
        fail(self.file, self.line_of(key), self.name_of(key), shown, expected, hint)

    def has(self, key: str) -> bool:
        return key in self.values

    def take(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, of any type, and record that the key was read."""
        self.used.append(key)
        return self.values.get(key, default)

    def text(self, key: str, default: str = "", choices: Tuple[str, ...] = ()) -> str:
        value = self.take(key, default)
        if not isinstance(value, str):
            self.fail(key, value, "must be a string")
        if choices and value not in choices and value != default:
            self.fail(
                key, value, "must be one of " + ", ".join(f'"{choice}"' for choice in choices), nearest(value, choices)
            )
        return value

    def number(self, key: str, default: Any = None, low: float = -1e300, high: float = 1e300) -> Any:
        value = self.take(key, default)
        if value is default and not self.has(key):
            return default
        if not is_number(value) or not low <= value <= high:
            self.fail(key, value, f"must be a number {_range(low, high)}")
        return float(value)

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        value = self.take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(key, value, f"must be a whole number from {low} to {high}")
        return value

    def items(self, key: str) -> List[Any]:
        value = self.take(key, [])
        if not isinstance(value, list):
            self.fail(key, value, "must be a list")
        return value

    def sections(self, key: str) -> List["Section"]:
        """Elements of an array of tables."""
        value = self.items(key)
        return [Section(entry, self.file, self.lines, self.path + (key, i)) for i, entry in enumerate(value)]

    def refuse_rest(self, known: Tuple[str, ...] = ()) -> None:
        """Raise an error for a key that was not read."""
        for key in self.values:
            if key not in self.used and key not in known:
                names = tuple(self.used) + known
                self.fail(key, None, "is not a key of " + (self.name_of() or "a study"), nearest(key, names))


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 1e300


def nearest(word: str, words: Any) -> str:
    """Nearest of some words, or an empty text."""
    import difflib

    found = difflib.get_close_matches(word, list(words), 1)
    return found[0] if found else ""


def _range(low: float, high: float) -> str:
    if high >= 1e300:
        return "" if low <= -1e300 else f"of at least {low:g}"
    return f"from {low:g} to {high:g}"


def _shown(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "..."
