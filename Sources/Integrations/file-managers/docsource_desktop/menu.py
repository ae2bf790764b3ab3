"""The context menu entries."""

import os
from typing import Callable, Iterator, List, NamedTuple

from documentsource import Source
from gi.repository import Gio, GLib, GObject

from docsource_desktop.answer import local_path
from docsource_desktop.host import GTK, Gdk, Gtk, Host
from docsource_desktop.places import program
from docsource_desktop.places import text as _
from docsource_desktop.report import guarded, report
from docsource_desktop.selection import Selection, answer, description


class Entry(NamedTuple):
    """A context menu entry."""

    name: str
    label: str
    tip: str
    act: Callable[[Selection], None]


def _tag(selection: Selection) -> None:
    _run_dialog("tag", selection)


def _remove(selection: Selection) -> None:
    _run_dialog("remove", selection)


def _run_dialog(verb: str, selection: Selection) -> None:
    paths = list(map(local_path, selection.files))
    report("run", verb=verb, files=list(map(os.fsdecode, paths)))
    process = Gio.Subprocess.new(
        [program("docsource-dialog"), verb, f"--gtk={GTK}"], Gio.SubprocessFlags.STDIN_PIPE)
    files = GLib.Bytes.new(b"".join(path + b"\0" for path in paths))
    process.communicate_async(files, None, _ran, selection.files)


@guarded()
def _ran(process: Gio.Subprocess, result: Gio.AsyncResult, files: List[GObject.Object]) -> None:
    process.communicate_finish(result)
    for file in files:  # those of file systems that do not tell of changes
        if hasattr(file, "invalidate_extension_info"):
            file.invalidate_extension_info()


def _copy(selection: Selection) -> None:
    pairs = ((file, answer(file)) for file in selection.files)
    text = "\n".join(
        description(file, source) for file, source in pairs if isinstance(source, Source))
    report("copy", text=text)
    if GTK == "4.0":
        Gdk.Display.get_default().get_clipboard().set_content(
            Gdk.ContentProvider.new_for_value(GObject.Value(str, text)))
    else:
        Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text(text, -1)


def _show_website(selection: Selection) -> None:
    site, = selection.websites
    report("website", url=site)
    Gio.AppInfo.launch_default_for_uri_async(site, None, None, None)


def _entries(selection: Selection) -> Iterator[Entry]:
    yield Entry(
        "tag", _("Tag with Application…"), _("Record which application the files came from"), _tag)
    if selection.may_have_source:
        yield Entry(
            "copy", _("Copy Source"), _("Copy the source of the files to the clipboard"), _copy)
    if len(selection.websites) == 1:
        yield Entry(
            "website", _("Visit Source App's Website"), selection.websites[0], _show_website)
    if selection.may_have_source or selection.damaged:
        yield Entry(
            "remove", _("Remove Source"),
            _("Remove the information about where the files came from"), _remove)


def menu_items(files: List[GObject.Object]) -> List[GObject.Object]:
    """The entries that the file manager adds to the menu of files; none if no file is local."""
    selection = Selection([file for file in files if local_path(file) is not None])
    if not selection.files:
        return []
    tip = "tooltip" if Host._namespace == "Thunarx" else "tip"
    entries = list(_entries(selection))
    items = []
    for entry in entries:
        item = Host.MenuItem(
            name=f"DocumentSource::{entry.name}", label=entry.label, **{tip: entry.tip})
        item.connect("activate", _activated, entry, selection)
        items.append(item)
    report(
        "menu", files=[file.get_uri() for file in selection.files],
        entries=[entry.name for entry in entries])
    return items


@guarded()
def _activated(_item: GObject.Object, entry: Entry, selection: Selection) -> None:
    entry.act(selection)
