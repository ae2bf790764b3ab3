"""The properties page, independent of the version of GTK."""

from typing import Callable, List, Optional

from gi.repository import Gio, GObject

from docsource_desktop.files import local_path
from docsource_desktop.mounts import mounts
from docsource_desktop.report import guarded
from docsource_desktop.selection import Selection


class Page:
    """The content of an open properties window, which follows changes of a single file."""

    def __init__(self, files: List[GObject.Object], show: Callable[[Selection], None]) -> None:
        self._files = files
        self._show = show
        self._monitor: Optional[Gio.FileMonitor] = None
        path = local_path(files[0])
        if len(files) == 1 and path is not None and not mounts.is_slow(path):
            place = Gio.File.new_for_uri(files[0].get_uri())
            self._monitor = place.monitor_file(Gio.FileMonitorFlags.NONE, None)
            self._monitor.connect("changed", self._changed)

    @guarded()
    def _changed(self, *_: object) -> None:
        self._show(Selection(self._files, has_records=True))

    def close(self, *_: object) -> None:
        if self._monitor:
            self._monitor.cancel()
            self._monitor = None
