"""Takes back the last change that docsource-dialog has made.

The values from before are kept in the directory of the login session, which other users cannot
read and which the system empties. Without that directory nothing can be taken back.
"""

import base64
import json
import os
import stat
from typing import Callable, Dict, List, NamedTuple, Optional

from docsource_desktop.settings import write_file

_ATTRIBUTES = "user.x-document-source", "user.DosStream.x-document-source:$DATA"
"""The attribute, and Samba's stream: what docsource changes of a file."""
_LIMIT = 4 << 20
"""The most bytes of values and paths that are kept; a larger change cannot be taken back."""

Values = Dict[str, bytes]


class Change(NamedTuple):
    """What was done to a file."""

    file: bytes
    before: Values
    after: Values


class LastChange(NamedTuple):
    """What was done to files at once."""

    verb: str
    application: str
    """The name of the one that they were tagged with."""
    changes: List[Change]


def _place() -> Optional[str]:
    directory = os.environ.get("XDG_RUNTIME_DIR", "")
    return f"{directory}/docsource/last-change" if directory.startswith("/") else None


def is_possible() -> bool:
    """Whether changes are kept."""
    place = _place()
    return place is not None and os.path.isdir(os.path.dirname(os.path.dirname(place)))


def values(file: bytes) -> Values:
    """The attributes that a change may replace or remove. Raises OSError."""
    found = {}
    present = os.listxattr(file)
    for name in _ATTRIBUTES:
        if name in present:
            found[name] = os.getxattr(file, name)
    return found


class Recorder:
    """Remembers what files have before a change, and what they have after it."""

    def __init__(self) -> None:
        self._changes: List[Change] = []
        self._size = 0

    def around(self, file: bytes, act: Callable[[], object]) -> None:
        try:
            before = values(file)
        except OSError:  # `act` says why
            act()
            return
        act()
        try:
            after = values(file)
        except OSError:  # it has just gone
            return
        if after == before:
            return
        path = os.path.abspath(file)
        self._size += len(path) + sum(map(len, [*before.values(), *after.values()]))
        if self._size > _LIMIT:
            self._changes.clear()
        else:
            self._changes.append(Change(path, before, after))

    def keep(self, verb: str, application: str = "") -> None:
        """Makes this the last change; without any change, that before it stays."""
        place = _place()
        if self._size == 0 or place is None or not is_possible():
            return
        if not self._changes:
            forget()
            return
        write_file(place, json.dumps({
            "verb": verb, "application": application, "changes": [{
                "file": _text(one.file), "before": _texts(one.before), "after": _texts(one.after),
            } for one in self._changes]}))


def forget() -> None:
    place = _place()
    if place is not None:
        try:
            os.unlink(place)
        except OSError:  # there is none
            pass


def last_change(files: List[bytes]) -> Optional[LastChange]:
    """The last change, with those of the files that are still as it has left them."""
    place = _place()
    if place is None:
        return None
    wanted = set(map(os.path.abspath, files))
    try:
        with open(place, "rb") as kept:
            if not stat.S_ISREG(os.fstat(kept.fileno()).st_mode):
                return None
            whole = json.loads(kept.read(4 * _LIMIT))
        changes = [
            Change(_bytes(one["file"]), _values(one["before"]), _values(one["after"]))
            for one in whole["changes"]]
        last = LastChange(
            str(whole["verb"]), str(whole["application"]),
            [one for one in changes if one.file in wanted and _is_as_left(one)])
    except (AttributeError, KeyError, OSError, TypeError, ValueError):  # none, or not ours
        return None
    return last if last.changes else None


def _is_as_left(change: Change) -> bool:
    try:
        return values(change.file) == change.after
    except OSError:
        return False


def take_back(change: Change) -> None:
    """Gives a file the values from before, unless it has others by now. Raises OSError."""
    if not _is_as_left(change):
        return
    for name in change.after.keys() - change.before.keys():
        os.removexattr(change.file, name)
    for name, value in change.before.items():
        if change.after.get(name) != value:
            os.setxattr(change.file, name, value)


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _texts(values: Values) -> Dict[str, str]:
    return {name: _text(value) for name, value in values.items()}


def _values(texts: Dict[str, str]) -> Values:
    return {name: _bytes(text) for name, text in texts.items() if name in _ATTRIBUTES}
