"""The dialog for choosing what files are shared with."""

import threading
from typing import Any, Callable, List, Optional

from documentsource import escaped
from gi.repository import GLib, Gtk

from docsource_desktop import gtk
from docsource_desktop.application_dialog import ApplicationDialog, list_row
from docsource_desktop.places import text as _
from docsource_desktop.share_list import Offer
from docsource_desktop.thumbnail import Thumbnail, thumbnail


class ShareDialog(ApplicationDialog):
    """What `docsource share --list` offers, applications before actions.

    Beside the name of a share item stands its picture, as soon as that is rendered.
    """

    title = _("Share")
    accept = _("_Share")
    search = _("Search")
    rows_name = _("Applications and actions")
    nothing = _("Nothing has “{}” in its name")
    none = _("No application or action here takes this")
    has_sources = False
    takes_identifiers = False

    def __init__(
        self, application: "Gtk.Application", files: List[bytes], offered: List[Any],
        parent: Optional[str], choose: Callable[["Gtk.Window", Any], None],
    ) -> None:
        super().__init__(application, files, offered, parent, choose)
        self._is_open = True
        self.window.connect("destroy", lambda _: self._closed())
        scale = self.window.get_scale_factor()
        threading.Thread(
            target=lambda: GLib.idle_add(self._illustrate, thumbnail(files, scale)),
            daemon=True).start()

    def _closed(self) -> None:
        self._is_open = False

    def _illustrate(self, found: Optional[Thumbnail]) -> bool:
        if found is not None and self._is_open:
            try:
                gtk.prepend(self._subject, gtk.middle(*found))
            except GLib.Error:  # the renderer was taken over
                pass
        return False

    @staticmethod
    def _row(one: Offer, _is_typed: bool) -> "Gtk.Widget":
        return list_row(
            escaped(one.name), escaped(one.detail), gtk.image(one.icon), one.group)


def ask_for_contact(window: "Gtk.Window", then: Callable[[Optional[str]], None]) -> None:
    """Calls a function with the path of a contact that the user chooses, or None."""
    dialog = Gtk.FileChooserNative(
        title=_("Choose a Contact"), transient_for=window, modal=True,
        action=Gtk.FileChooserAction.OPEN)
    names = Gtk.FileFilter()
    names.set_name(_("Contacts (vCard)"))
    names.add_mime_type("text/vcard")
    dialog.add_filter(names)
    _show_chooser(dialog, then)


def ask_for_folder(window: "Gtk.Window", then: Callable[[Optional[str]], None]) -> None:
    """Calls a function with the path of a folder that the user chooses, or None."""
    dialog = Gtk.FileChooserNative(
        title=_("Choose a Folder to Save In"), transient_for=window, modal=True,
        action=Gtk.FileChooserAction.SELECT_FOLDER, accept_label=_("_Save"),
        cancel_label=_("_Cancel"))
    gtk.begin_in_home(dialog)
    _show_chooser(dialog, then)


def _show_chooser(
    dialog: "Gtk.FileChooserNative", then: Callable[[Optional[str]], None],
) -> None:
    def answered(_dialog: "Gtk.FileChooserNative", response: int) -> None:
        file = dialog.get_file() if response == Gtk.ResponseType.ACCEPT else None
        dialog.destroy()
        then(file.get_path() if file is not None else None)

    dialog.connect("response", answered)
    dialog.show()
