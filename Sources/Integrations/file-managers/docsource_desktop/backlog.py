"""Files that the file manager asks about faster than they can be read without delay."""

import time
from typing import Callable, Dict, Hashable

from gi.repository import GLib

from docsource_desktop.report import guarded


class Backlog:
    """Reads the first files of a rush of questions at once, and the others after the rush.

    A folder's files are asked about one after the other while the folder is listed: whatever is
    done then delays the list. What is found out about a file later is shown, too.
    """

    _AT_ONCE = 0.02
    """The seconds to spend in a rush, about as long as a screen full of files takes."""
    _QUIET = 0.1
    """The seconds without a question after which a rush is over."""
    _LONGEST = 3.0
    """The seconds after which the remaining files are read even if the rush goes on."""
    _SLICE = 0.005

    def __init__(self, work: Callable[[Hashable], None]) -> None:
        self._work = work
        self._spent = 0.0
        self._began = self._asked = 0.0
        self._is_rush = False
        self._is_going = False
        self._waiting: Dict[Hashable, None] = {}

    def add(self, file: Hashable) -> None:
        self._asked = time.monotonic()
        if not self._is_rush:
            self._is_rush = True
            self._began = self._asked
            GLib.timeout_add(int(self._QUIET * 1000), self._look)
        if self._spent >= self._AT_ONCE:
            self._waiting[file] = None
            return
        self._waiting.pop(file, None)
        start = time.perf_counter()
        self._work(file)
        self._spent += time.perf_counter() - start

    @guarded(lambda: True)
    def _look(self) -> bool:
        """Whether the rush goes on."""
        now = time.monotonic()
        if now - self._asked < self._QUIET and now - self._began < self._LONGEST:
            return True
        self._is_rush = False
        self._spent = 0.0
        if self._waiting and not self._is_going:
            self._is_going = True
            GLib.idle_add(self._go_on, priority=GLib.PRIORITY_LOW)
        return False

    @guarded(lambda: True)
    def _go_on(self) -> bool:
        end = time.perf_counter() + self._SLICE
        while self._waiting and time.perf_counter() < end:
            file = next(iter(self._waiting))
            del self._waiting[file]
            self._work(file)
        # A new rush comes first; its end brings this round again.
        self._is_going = bool(self._waiting) and self._spent < self._AT_ONCE
        return self._is_going
