"""The column, emblems, properties page and context menu that file managers show."""

import os
import re
from typing import List, Optional, Sequence

from gi.repository import Gio, GObject

from docsource_desktop import words
from docsource_desktop.answer import read
from docsource_desktop.backlog import Backlog
from docsource_desktop.emblems import emblems
from docsource_desktop.files import local_path
from docsource_desktop.host import Gtk, Host
from docsource_desktop.menu import menu_items
from docsource_desktop.mounts import mounts
from docsource_desktop.page import properties_model
from docsource_desktop.places import text as _
from docsource_desktop.properties_widget import PropertiesWidget
from docsource_desktop.report import guarded, report
from docsource_desktop.selection import Selection
from docsource_desktop.slow_files import slow_files
from docsource_desktop.words import sortable

_COLUMN = "DocumentSource::name"

# Those that this file manager knows.
_PROVIDERS = [
    getattr(Host, name) for name in (
        "ColumnProvider", "InfoProvider", "MenuProvider", "NameAndDescProvider",
        "PropertiesModelProvider", "PropertyPageProvider",
    ) if hasattr(Host, name)
]


def _tell(file: GObject.Object) -> None:
    """Tells the file manager the source of a file."""
    path = local_path(file)
    if path is None:
        return
    is_slow = mounts.is_slow(path)
    answer = slow_files.update(path, file) if is_slow else read(path)
    text = words.column(answer)
    emblem = emblems.of(answer)
    # Nemo draws the last emblem only: the arrow of a link, which nothing else tells, is to stay.
    if Host._namespace == "Nemo" and not is_slow and os.path.islink(path):
        emblem = None
    if emblem is not None:
        file.add_emblem(emblem)
    file.add_string_attribute(_COLUMN, sortable(text))
    report("update", file=os.fsdecode(path), column=text, emblem=emblem)


# The names of files that may have the marks of a file beside them: an AppleDouble file, or a stream of
# Windows as it is kept where there are none, perhaps with another colon.
_BESIDE = re.compile(r"\._(.+)|(.+?)[:\uf03a].", re.DOTALL)


def _tell_all(file: GObject.Object) -> None:
    """Also has the file manager ask again about the file whose marks this one may have."""
    _tell(file)
    directory, name = os.path.split(local_path(file) or b"")
    beside = _BESIDE.match(os.fsdecode(name))
    # Thunar, which knows no files by their places, shows nothing that could be out of date.
    if beside is None or not hasattr(Host.FileInfo, "lookup"):
        return
    marked = os.path.join(directory, os.fsencode(beside[1] or beside[2]))
    known = Host.FileInfo.lookup(Gio.File.new_for_path(marked))
    if known is not None:
        known.invalidate_extension_info()


_backlog = Backlog(_tell_all)


class DocumentSourceExtension(GObject.GObject, *_PROVIDERS):
    """The interface that the file manager calls."""

    @guarded(list)
    def get_columns(self) -> List[GObject.Object]:
        return [Host.Column(
            name=_COLUMN, attribute=_COLUMN, label=_("Source App"),
            description=_("The application that the file came from"))]

    @guarded()
    def update_file_info(self, file: GObject.Object) -> None:
        _backlog.add(file)

    @guarded(list)
    def get_file_items(self, *arguments: object) -> List[GObject.Object]:
        return _menu(arguments)

    @guarded(list)
    def get_background_items(self, *_arguments: object) -> List[GObject.Object]:
        return []

    @guarded(list)
    def get_file_menu_items(self, *arguments: object) -> List[GObject.Object]:
        return _menu(arguments)  # Thunar's

    @guarded(list)
    def get_property_pages(self, files: List[GObject.Object]) -> List[GObject.Object]:
        selection = _local(files)
        if selection is None:
            return []
        widget = PropertiesWidget(files, selection).widget
        if Host._namespace == "Thunarx":
            page = Host.PropertyPage(label=_("Source App"))
            page.add(widget)
            page.show()
        else:
            label = Gtk.Label(label=_("Source App"))
            label.show()
            page = Host.PropertyPage(name="DocumentSource::page", label=label, page=widget)
        return [page]

    @guarded(list)
    def get_models(self, files: List[GObject.Object]) -> List[GObject.Object]:
        selection = _local(files)
        if selection is None:
            return []
        return [Host.PropertiesModel(
            title=_("Source App"), model=properties_model(files, selection))]

    @guarded(list)
    def get_name_and_desc(self) -> List[str]:
        name, description = _("Source App"), _("Shows which application a file came from")
        return [f"{name}:::{description}"]


def _menu(arguments: Sequence[object]) -> List[GObject.Object]:
    # In front of the files some give the window.
    return menu_items(arguments[-1], arguments[0] if len(arguments) > 1 else None)


def _local(files: List[GObject.Object]) -> Optional[Selection]:
    """The files, if all are local and at least one says where it came from."""
    if not files or any(local_path(file) is None for file in files):
        return None
    selection = Selection(files, has_records=True)
    return selection if selection.is_told else None
