"""The properties page of Gtk 3."""

from typing import Callable, List

from gi.repository import GLib, GObject, Pango

from docsource_desktop.host import Gtk
from docsource_desktop.icon_picture import IconPicture
from docsource_desktop.menu import (
    Choice, copy_address, open_in_source, open_title, opens_in_source)
from docsource_desktop.page import Page
from docsource_desktop.places import text as _
from docsource_desktop.report import guarded, report
from docsource_desktop.selection import Property, Selection


class PropertiesWidget:
    """The properties page of Gtk 3."""

    def __init__(self, files: List[GObject.Object], selection: Selection) -> None:
        self._icon = IconPicture()
        self._icon.widget.set_valign(Gtk.Align.START)
        self._grid = Gtk.Grid(column_spacing=12, row_spacing=6)
        self.widget = Gtk.Box(spacing=18, border_width=12)
        self.widget.pack_start(self._icon.widget, False, False, 0)
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
        column.pack_start(self._grid, False, True, 0)
        self._buttons = Gtk.Box(spacing=6)
        column.pack_start(self._buttons, False, True, 0)
        self.widget.pack_start(column, True, True, 0)
        self._page = Page(files, self._show)
        self.widget.connect("destroy", self._page.close)
        self._show(selection)

    def _show(self, selection: Selection) -> None:
        for child in self._grid.get_children():
            child.destroy()
        lines = selection.lines()
        for row, line in enumerate(lines):
            label = Gtk.Label(label=f"{line.label}:" if line.value else line.label, xalign=1)
            label.set_valign(Gtk.Align.START)
            value = self._value(line)
            label.set_mnemonic_widget(value)  # which names the value for assistive technology
            self._grid.attach(label, 0, row, 1, 1)
            self._grid.attach(value, 1, row, 1, 1)
        actions = self._show_actions(selection)
        self.widget.show_all()
        report("page", properties=[line[:2] for line in lines], actions=actions)
        self._icon.show(selection.application)

    def _show_actions(self, selection: Selection) -> List[str]:
        """The buttons that fit the files; returns their labels."""
        for child in self._buttons.get_children():
            child.destroy()
        actions = []
        if opens_in_source(selection):
            actions.append((open_title(selection), open_in_source))
        if selection.address is not None:
            actions.append((_("Copy Address"), copy_address))
        for label, act in actions:
            button = Gtk.Button(label=label)
            button.connect("clicked", self._clicked, act, selection)
            self._buttons.pack_start(button, False, False, 0)
        return [label for label, _act in actions]

    @staticmethod
    @guarded()
    def _clicked(
        button: Gtk.Button, act: Callable[[Choice], None], selection: Selection,
    ) -> None:
        act(Choice(selection, button.get_toplevel()))

    @staticmethod
    def _value(line: Property) -> Gtk.Label:
        value = Gtk.Label(
            label=line.value, xalign=0, selectable=True, wrap=True, hexpand=True,
            max_width_chars=40)
        value.set_line_wrap_mode(Pango.WrapMode.WORD_CHAR)
        # A label selects all of its text when it gets the keys, as the first one does at once.
        value.connect_after("grab-focus", lambda label: label.select_region(0, 0))
        value.connect_after("focus", lambda label, _way: label.select_region(0, 0))
        if line.link:
            value.set_markup(
                f'<a href="{GLib.markup_escape_text(line.link)}">'
                f"{GLib.markup_escape_text(line.value)}</a>")
        if line.link or line.tip:
            value.set_tooltip_text(line.link or line.tip)
        return value
