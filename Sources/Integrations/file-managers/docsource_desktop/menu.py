"""The context menu entries."""

import os
from typing import Callable, Iterator, List, NamedTuple, Optional

from gi.repository import Gio, GLib, GObject

from docsource_desktop import words
from docsource_desktop.applications import applications
from docsource_desktop.files import answer, local_path
from docsource_desktop.host import GTK, Gdk, Gtk, Host
from docsource_desktop.places import program
from docsource_desktop.places import text as _
from docsource_desktop.report import guarded, report
from docsource_desktop.selection import Selection, description
from docsource_desktop.watching import is_on
from docsource_desktop.window_parent import with_parent


class Choice(NamedTuple):
    """Files that a menu is for, and the window of the menu, where it is known."""

    selection: Selection
    window: Optional[Gtk.Window]


class Entry(NamedTuple):
    """A context menu entry."""

    name: str
    label: str
    tip: str
    act: Callable[[Choice], None]


def _tag(choice: Choice) -> None:
    _run_dialog("tag", choice)


def _remove(choice: Choice) -> None:
    _run_dialog("remove", choice)


def _share(choice: Choice) -> None:
    _run_dialog("share", choice)


def open_in_source(choice: Choice) -> None:
    _run_dialog("open", choice)


def _watch(choice: Choice) -> None:
    _run_dialog("watch", choice)


def _run_dialog(verb: str, choice: Choice) -> None:
    files = choice.selection.files
    paths = list(map(local_path, files))

    def run(options: List[str]) -> None:
        report("run", verb=verb, options=options, files=list(map(os.fsdecode, paths)))
        process = Gio.Subprocess.new(
            [program("docsource-dialog"), verb, f"--gtk={GTK}", *options],
            Gio.SubprocessFlags.STDIN_PIPE)
        names = GLib.Bytes.new(b"".join(path + b"\0" for path in paths))
        process.communicate_async(names, None, _ran, files)

    with_parent(choice.window, run)


@guarded()
def _ran(process: Gio.Subprocess, result: Gio.AsyncResult, files: List[GObject.Object]) -> None:
    process.communicate_finish(result)
    for file in files:  # those of file systems that do not tell of changes
        if hasattr(file, "invalidate_extension_info"):
            file.invalidate_extension_info()


def _copy(choice: Choice) -> None:
    pairs = ((file, answer(file)) for file in choice.selection.files)
    text = "\n".join(
        description(file, one) for file, one in pairs if one.application or one.parts)
    _put_on_clipboard(text)


def copy_address(choice: Choice) -> None:
    _put_on_clipboard(choice.selection.address or "")


def _put_on_clipboard(text: str) -> None:
    report("copy", text=text)
    if GTK == "4.0":
        Gdk.Display.get_default().get_clipboard().set_content(
            Gdk.ContentProvider.new_for_value(GObject.Value(str, text)))
    else:
        Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text(text, -1)


def _show_website(choice: Choice) -> None:
    site = choice.selection.website
    report("website", url=site)
    Gio.AppInfo.launch_default_for_uri_async(site, None, None, None)


def _entries(selection: Selection) -> Iterator[Entry]:
    """Those that stand in the menu itself."""
    yield Entry(
        "share", _("Share…"), _("Hand the files over to an application, a person or a service"),
        _share)
    if opens_in_source(selection):
        yield Entry(
            "open", _open_label(selection), _("Open the files in the application they came from"),
            open_in_source)


def _open_label(selection: Selection) -> str:
    """An underscore would be taken for a mark of a key."""
    return open_title(selection).replace("_", "__")


def open_title(selection: Selection) -> str:
    """With the name of the application, if the files came from one."""
    identifiers = {one.identifier for one in selection.sources}
    installed = applications.find(identifiers.pop()) if len(identifiers) == 1 else None
    if installed is None:
        return _("Open in Source Apps")
    return _("Open in {}").format(words.shortened(installed.name))


def _source_entries(selection: Selection) -> Iterator[Entry]:
    """Those of the submenu."""
    yield Entry(
        "tag", _("Tag with Application…"), _("Record which application the files came from"), _tag)
    if selection.may_be_copied:
        yield Entry(
            "copy", _("Copy Source"), _("Copy the source of the files to the clipboard"), _copy)
    if selection.address is not None:
        yield Entry(
            "address", _("Copy Address"),
            _("Copy the address that the file was downloaded from to the clipboard"), copy_address)
    site = selection.website
    if site is not None:
        yield Entry("website", _("Visit Source App's Website"), site, _show_website)
    if is_on():
        yield Entry(
            "watch", _("Stop Tagging New Documents…"),
            _("No longer record which applications write new documents"), _watch)
    else:
        yield Entry(
            "watch", _("Tag New Documents Automatically…"),
            _("Record in each new document which application wrote it"), _watch)
    if selection.may_be_removed:
        yield Entry(
            "remove", _("Remove Source"),
            _("Remove the information about where the files came from"), _remove)


def opens_in_source(selection: Selection) -> bool:
    """Whether `docsource open --source` would open all of the files."""
    return selection.is_read and all(
        one.source is not None
        and applications.opens(one.source.identifier, file.get_mime_type())
        for file, one in zip(selection.files, selection.answers))


def _item(name: str, label: str, tip: str) -> GObject.Object:
    word = "tooltip" if Host._namespace == "Thunarx" else "tip"
    return Host.MenuItem(name=f"DocumentSource::{name}", label=label, **{word: tip})


def menu_items(
    files: List[GObject.Object], window: Optional[Gtk.Window] = None,
) -> List[GObject.Object]:
    """What the file manager adds to the menu of files; nothing if no file is local."""
    selection = Selection([file for file in files if local_path(file) is not None])
    if not selection.files:
        return []
    choice = Choice(selection, window)
    entries, below = list(_entries(selection)), list(_source_entries(selection))
    menu = Host.Menu()
    for entry in below:
        menu.append_item(_entry_item(entry, choice))
    source = _item("source", _("Source"), _("Where the files came from"))
    if Host._namespace == "Thunarx":
        source.set_menu(menu)
    else:
        source.set_submenu(menu)
    report(
        "menu", files=[file.get_uri() for file in selection.files],
        entries=[entry.name for entry in entries], below=[entry.name for entry in below])
    return [*(_entry_item(entry, choice) for entry in entries), source]


def _entry_item(entry: Entry, choice: Choice) -> GObject.Object:
    item = _item(*entry[:3])
    item.connect("activate", _activated, entry, choice)
    return item


@guarded()
def _activated(_item: GObject.Object, entry: Entry, choice: Choice) -> None:
    entry.act(choice)
