"""Shows in Nautilus, Nemo, Caja and Thunar which application a file came from.

One extension for the four: a column, emblems, a page of properties and entries of the context menu,
as far as the file manager has a place for them. What is done to files, and the choice of an
application, is a program of its own, docsource-dialog.

Nothing here waits: not on the network, nor on another process, nor on a file system that may be at
the other end of one. No exception leaves it. With DOCSOURCE_FILE_MANAGER_LOG set to a file's path,
what the file manager is told is appended to that file, a JSON object a line.
"""

import os
import sys
from typing import List, Optional

from documentsource import Source
from gi.repository import GObject

sys.path.append(os.path.dirname(os.path.realpath(__file__)))

# ruff: noqa: E402 (from here on they are found)
from docsource_desktop.answer import Damaged, local_path, read
from docsource_desktop.backlog import Backlog
from docsource_desktop.emblems import emblems
from docsource_desktop.host import Gtk, Host
from docsource_desktop.menu import menu_items
from docsource_desktop.mounts import mounts
from docsource_desktop.places import text as _
from docsource_desktop.properties_model import properties_model
from docsource_desktop.properties_widget import PropertiesWidget
from docsource_desktop.report import guarded, report
from docsource_desktop.selection import Selection, shown
from docsource_desktop.slow_files import slow_files

_COLUMN = "DocumentSource::name"

# Those that this file manager knows.
_PROVIDERS = [
    getattr(Host, name) for name in (
        "ColumnProvider", "InfoProvider", "MenuProvider", "NameAndDescProvider",
        "PropertiesModelProvider", "PropertyPageProvider",
    ) if hasattr(Host, name)
]


def _tell(file: GObject.Object) -> None:
    """Tells the file manager of a file's source."""
    path = local_path(file)
    if path is None:
        return
    answer = slow_files.update(path, file) if mounts.is_slow(path) else read(path)
    text = ""
    emblem = None
    if isinstance(answer, Source):
        text = shown(answer.name or answer.identifier or _("Unnamed application"))
        emblem = emblems.name(answer.identifier)
        file.add_emblem(emblem)
    elif isinstance(answer, Damaged):
        text = _("Damaged")
    file.add_string_attribute(_COLUMN, text)
    report("update", file=os.fsdecode(path), column=text, emblem=emblem)


_backlog = Backlog(_tell)


class DocumentSourceExtension(GObject.GObject, *_PROVIDERS):
    """What the file manager calls."""

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
        return menu_items(arguments[-1])  # in front of the files some give the window

    @guarded(list)
    def get_background_items(self, *_arguments: object) -> List[GObject.Object]:
        return []

    @guarded(list)
    def get_file_menu_items(self, *arguments: object) -> List[GObject.Object]:
        return menu_items(arguments[-1])  # Thunar's

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
        return [f"{_('Source App')}:::{_('Shows which application a file came from')}"]


def _local(files: List[GObject.Object]) -> Optional[Selection]:
    """Files of which one has a source or a damaged one, where all are local."""
    if not files or any(local_path(file) is None for file in files):
        return None
    selection = Selection(files)
    return selection if selection.sources or selection.damaged else None
