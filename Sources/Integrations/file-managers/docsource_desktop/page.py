"""The properties page: its content in all versions of GTK, and its rows of text in GTK 4."""

from typing import Callable, List, Optional

from gi.repository import Gio, GObject

from docsource_desktop.files import local_path
from docsource_desktop.host import Host
from docsource_desktop.mounts import mounts
from docsource_desktop.report import guarded, report
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


def properties_model(files: List[GObject.Object], selection: Selection) -> Gio.ListStore:
    """Rows that follow changes of the files as long as the model is in use."""
    model = Gio.ListStore.new(Host.PropertiesItem)
    _show(model, selection)
    used = model.weak_ref()

    def show(selection: Selection) -> None:
        model = used()
        if model is not None:
            _show(model, selection)

    model.weak_ref(Page(files, show).close)
    return model


def _show(model: Gio.ListStore, selection: Selection) -> None:
    lines = selection.lines()
    model.remove_all()
    for line in lines:
        model.append(Host.PropertiesItem(name=line.label, value=line.value))
    report("page", properties=[line[:2] for line in lines])
