"""Files that the file manager asks about faster than it should be kept."""

import time
from collections import OrderedDict
from typing import Callable

from gi.repository import GLib, GObject

from docsource_desktop.report import guarded

Work = Callable[[bytes, GObject.Object], None]


class Backlog:
    """Looks at a few files at once, and at the rest when the main loop has nothing else to do.

    A folder's files are asked about one after the other, without the main loop in between: all that
    is done then delays the list of the folder. What is told of a file later is shown, too.
    """

    _AT_ONCE = 0.004
    """Seconds that may be spent before the main loop comes round."""
    _SLICE = 0.005

    def __init__(self, work: Work) -> None:
        self._work = work
        self._spent = 0.0
        self._is_counting = False
        self._waiting: "OrderedDict[bytes, GObject.Object]" = OrderedDict()

    def add(self, path: bytes, file: GObject.Object) -> None:
        if self._spent >= self._AT_ONCE:
            if not self._waiting:
                GLib.idle_add(self._go_on, priority=GLib.PRIORITY_LOW)
            self._waiting[path] = file
            return
        if not self._is_counting:
            self._is_counting = True
            GLib.idle_add(self._come_round)
        self._waiting.pop(path, None)
        start = time.perf_counter()
        self._work(path, file)
        self._spent += time.perf_counter() - start

    def _come_round(self) -> bool:
        self._spent = 0.0
        self._is_counting = False
        return False

    @guarded(lambda: True)
    def _go_on(self) -> bool:
        end = time.perf_counter() + self._SLICE
        while self._waiting and time.perf_counter() < end:
            self._work(*self._waiting.popitem(last=False))
        return bool(self._waiting)
