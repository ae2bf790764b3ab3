"""What programs tell assistive technology, asked by a process of its own.

The library that asks may block for ever when a program tells of a change while it is asked: a
glance that takes too long is given up, and another one taken.

usage: glance.py [columns|act ROLE NAME...]
"""

import json
import os
import re
import subprocess
import sys
from typing import Dict, List, NamedTuple, Optional

from desktop_session import wait

_SECONDS = 20
# Of Nautilus, an element's name is its widget's class where it has none.
_BLANK = "", "GtkLabel"


class Seen(NamedTuple):
    """A part of a window."""

    role: str
    name: str
    is_focused: bool


def _run(*words: str) -> str:
    try:
        return subprocess.run(
            [sys.executable, "-B", "-W", "ignore::DeprecationWarning", os.path.realpath(__file__),
             *words],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=_SECONDS).stdout
    except subprocess.TimeoutExpired:
        return ""


def all_parts() -> List[Seen]:
    return [Seen(*values) for values in json.loads(_run() or "[]")]


def named(name: str, *roles: str) -> Optional[Seen]:
    return next((
        seen for seen in all_parts() if seen.name == name and (not roles or seen.role in roles)),
        None)


def wait_for(name: str, *roles: str) -> Seen:
    return wait(lambda: named(name, *roles), f"{name!r} on the screen")


def push(label: str, role: str = "push button") -> None:
    """Does what a click on a button does."""
    wait(lambda: _run("act", role, label) == "done", f"the button {label!r}")


def columns() -> Dict[str, str]:
    """What stands in our column, the last one, by files' names, in the order of the list."""
    return {name: _visible(text) for name, text in json.loads(_run("columns") or "{}").items()}


def _visible(text: str) -> str:
    """A text of the column without what it is sorted by."""
    return re.sub("^[\U000e0020-\U000e007e]+", "", text)


def _children(table: "screen.Element") -> "List[Optional[screen.Element]]":
    from gi.repository import GLib

    try:
        return [table.get_child_at_index(index) for index in range(table.get_child_count())]
    except GLib.Error:  # it has just changed
        return []


def _columns() -> Dict[str, str]:
    import screen

    result = {}
    for element in screen.elements(closed="table row"):
        role = screen.role_of(element)
        if role == "table row":  # of GTK 4
            labels = [screen.text_of(label) for label in screen.elements(element)
                      if screen.role_of(label) == "label"]
            if labels:
                result[labels[0]] = "" if labels[-1] in _BLANK else labels[-1]
        elif role in ("tree table", "table"):
            # GTK 3 has no rows: a cell of icon and name, size, ours; and so on.
            cells = _children(element)
            for index, cell in enumerate(cells[:-2]):
                names = [] if cell is None else [
                    screen.text_of(part) for part in screen.elements(cell)]
                if names and cells[index + 2] is not None:
                    result["".join(names)] = screen.text_of(cells[index + 2])
    return result


def _main(words: List[str]) -> None:
    import screen

    if words == ["columns"]:
        print(json.dumps(_columns()))
        return
    if not words:
        parts = [
            (screen.role_of(element), screen.text_of(element), screen.is_focused(element))
            for element in screen.elements()]
        print(json.dumps(parts))
        return
    for element in screen.elements():
        if screen.role_of(element) == words[1] and screen.text_of(element) in words[2:]:
            screen.act(element)
            print("done", end="", flush=True)
            return


if __name__ == "__main__":
    _main(sys.argv[1:])
