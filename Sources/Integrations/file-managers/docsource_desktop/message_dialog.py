"""Dialogs that say or ask something."""

from typing import Callable, List, Optional

from gi.repository import Gtk

from docsource_desktop import gtk
from docsource_desktop.gtk import ESCAPE
from docsource_desktop.places import text as _


_RESPONSES = Gtk.ResponseType.CANCEL, Gtk.ResponseType.CLOSE, Gtk.ResponseType.ACCEPT


def _present(dialog: "Gtk.MessageDialog", parent: Optional[str]) -> None:
    def close(key: int) -> bool:
        if key in ESCAPE:
            dialog.response(Gtk.ResponseType.CANCEL)
        return key in ESCAPE

    for response in _RESPONSES:
        button = dialog.get_widget_for_response(response)
        if button is not None:
            gtk.name_without_key(button)
    gtk.on_keys(dialog, close)
    gtk.name(dialog, dialog.get_property("text"))
    gtk.present(dialog, parent)


def tell_error(
    application: "Gtk.Application", title: str, lines: List[str], parent: Optional[str],
) -> None:
    dialog = Gtk.MessageDialog(
        application=application, title=_("Source"), message_type=Gtk.MessageType.ERROR,
        buttons=Gtk.ButtonsType.CLOSE, text=title, secondary_text="\n".join(lines))
    dialog.connect("response", lambda dialog, _: dialog.destroy())
    _present(dialog, parent)


def ask(
    application: "Gtk.Application", title: str, text: str, accept: str, parent: Optional[str],
    answered: Callable[["Gtk.Window", bool], None], can_be_last: bool = True,
) -> None:
    """Asks whether to go on. Calls a function, if so with whether to ask no more."""
    dialog = Gtk.MessageDialog(
        application=application, title=_("Source"), message_type=Gtk.MessageType.QUESTION,
        text=title, secondary_text=text)
    dialog.add_button(_("_Cancel"), Gtk.ResponseType.CANCEL)
    button = dialog.add_button(accept, Gtk.ResponseType.ACCEPT)
    if can_be_last:
        button.get_style_context().add_class("destructive-action")
    dialog.set_default_response(Gtk.ResponseType.CANCEL)
    again = Gtk.CheckButton(label=_("_Do not ask again"), use_underline=True)
    gtk.name_without_key(again)
    if can_be_last:
        gtk.append(dialog.get_message_area(), again)

    def respond(dialog: "Gtk.MessageDialog", response: int) -> None:
        if response == Gtk.ResponseType.ACCEPT:
            dialog.set_sensitive(False)
            answered(dialog, again.get_active())
        else:
            dialog.destroy()

    dialog.connect("response", respond)
    _present(dialog, parent)
    dialog.get_widget_for_response(Gtk.ResponseType.CANCEL).grab_focus()
