"""The properties page of Gtk 4: rows of text."""

from typing import List

from gi.repository import Gio, GObject

from docsource_desktop.host import Host
from docsource_desktop.page import Page
from docsource_desktop.report import report
from docsource_desktop.selection import Selection


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
