"""The dialog for choosing what files are shared with."""

from typing import Any

from documentsource import escaped
from gi.repository import Gtk

from docsource_desktop import gtk
from docsource_desktop.application_dialog import ApplicationDialog, list_row
from docsource_desktop.places import text as _
from docsource_desktop.share_list import Offer, reason


class ShareDialog(ApplicationDialog):
    """What `docsource share --list` offers, in its order, with the reasons."""

    title = _("Share")
    accept = _("_Share")
    search = _("Search")
    nothing = _("Nothing has “{}” in its name")
    takes_identifiers = False

    @staticmethod
    def _row(one: Offer, _is_typed: bool) -> "Gtk.Widget":
        return list_row(escaped(one.name), escaped(reason(one.reason)), gtk.image(one.icon))


def ask_for_contact(window: "Gtk.Window", then: Any) -> None:
    """Calls a function with the path of a contact that the user chooses, or None."""
    dialog = Gtk.FileChooserNative(
        title=_("Choose a Contact"), transient_for=window, modal=True,
        action=Gtk.FileChooserAction.OPEN)
    names = Gtk.FileFilter()
    names.set_name(_("Contacts (vCard)"))
    names.add_mime_type("text/vcard")
    dialog.add_filter(names)

    def answered(_dialog: "Gtk.FileChooserNative", response: int) -> None:
        file = dialog.get_file() if response == Gtk.ResponseType.ACCEPT else None
        dialog.destroy()
        then(file.get_path() if file is not None else None)

    dialog.connect("response", answered)
    dialog.show()
