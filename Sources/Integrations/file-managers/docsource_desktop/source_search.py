"""Finds the user's files by the applications they came from, without an index."""

import base64
import json
import os
import subprocess
import threading
import time
from typing import List, NamedTuple, Optional

from gi.repository import GLib

from docsource_desktop.applications import applications
from docsource_desktop.mounts import mounts
from docsource_desktop.places import program

SECONDS = 2.0
"""The longest time that a search takes; what was found until then counts."""
_FILES_KEPT = 20000
_FRESH = 10.0
"""The seconds for which the same files are used again, while somebody types."""
_LINE = 1 << 17
"""The longest line of docsource that is read; the longest value is half of that."""
_SHORTEST = 3
"""The fewest bytes that are searched for: three letters of English, or a Chinese one."""


class FoundFile(NamedTuple):
    """A file that has a source."""

    path: bytes
    application: str
    """What to call the application."""
    text: str
    """What a search looks at besides the name of the file."""

    @property
    def uri(self) -> str:
        return GLib.filename_to_uri(os.fsdecode(self.path), None)

    def matches(self, terms: List[str]) -> bool:
        """Whether each term is in the application or in the name of the file, and one in the former:
        files by their names alone are for others to find."""
        name = os.fsdecode(os.path.basename(self.path)).casefold()
        return any(term in self.text for term in terms) and all(
            term in self.text or term in name for term in terms)


def directories() -> List[str]:
    """The user's directories for documents, downloads and so on, but for the home directory itself
    and those on file systems that may keep one waiting."""
    home = os.path.realpath(GLib.get_home_dir())
    found: List[str] = []
    for kind in range(GLib.UserDirectory.N_DIRECTORIES):
        path = GLib.get_user_special_dir(GLib.UserDirectory(kind))
        if path is None or mounts.is_slow(os.fsencode(path)) or not os.path.isdir(path):
            continue
        path = os.path.realpath(path)
        if path not in (home, "/"):
            found.append(path)
    return sorted({
        path for path in found
        if not any(path.startswith(f"{other}/") for other in found)})


class SourceSearch:
    """Searches for one caller after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: List[FoundFile] = []
        self._time: Optional[float] = None

    def find(self, terms: List[str]) -> List[FoundFile]:
        """The files whose sources match, those changed last first; without any term, all that have a
        source."""
        terms = [term.casefold() for term in terms if term.strip()]
        if terms and max(len(os.fsencode(term)) for term in terms) < _SHORTEST:
            return []
        with self._lock:
            if self._time is None or time.monotonic() - self._time > _FRESH:
                self._files = _all_files()
                self._time = time.monotonic()
            found = [one for one in self._files if not terms or one.matches(terms)]
        return sorted(found, key=lambda one: (-_changed(one.path), one.path))


def _changed(path: bytes) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:  # it has just gone
        return 0


def _all_files() -> List[FoundFile]:
    places = directories()
    if not places:
        return []
    try:
        process = subprocess.Popen(
            ["nice", program("docsource"), "find", "--json", "--no-hidden", "--one-file-system",
             "--type=f", "--", *places],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:  # nothing can be started
        return []
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    found: List[FoundFile] = []
    try:
        with process.stdout as lines:
            while len(found) < _FILES_KEPT and (line := lines.readline(_LINE)):
                one = _file(line)
                if one is not None:
                    found.append(one)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
    return found


def _file(line: bytes) -> Optional[FoundFile]:
    """What docsource says of a file; None for what was cut off."""
    try:
        one = json.loads(line)
        encoded = one.get("fileBase64")
        path = base64.b64decode(encoded) if encoded else os.fsencode(one["file"])
        source = one["source"] or {}
        identifier, name = source.get("identifier"), source.get("name")
        called = applications.name(identifier, name)
        if not called:
            return None
        text = "\n".join(filter(None, (called, name, identifier))).casefold()
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return FoundFile(path, called, text)
