"""The dialog for choosing the application to tag files with."""

import os
from typing import Any, Callable, List, Optional

from documentsource import escaped
from gi.repository import Gtk, Pango

from docsource_desktop import gtk, source_groups
from docsource_desktop.application_list import Application, ranked, typed
from docsource_desktop.applications import UNKNOWN, applications
from docsource_desktop.gtk import BACK_TAB, DOWN, ESCAPE, TAB, UP
from docsource_desktop.places import ngettext as _n
from docsource_desktop.places import text as _


def list_row(title: str, detail: str, image: "Gtk.Image", group: str = "") -> "Gtk.Widget":
    """A row with an icon and one or two lines."""
    texts = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, valign=Gtk.Align.CENTER)
    gtk.append(texts, Gtk.Label(label=title, xalign=0, ellipsize=Pango.EllipsizeMode.END))
    if detail:
        label = Gtk.Label(label=detail, xalign=0, ellipsize=Pango.EllipsizeMode.END)
        label.get_style_context().add_class("dim-label")
        gtk.append(texts, label)
    line = Gtk.Box(spacing=12)
    gtk.margin(line, 6)
    gtk.append(line, image)
    gtk.append(line, texts)
    row = Gtk.ListBoxRow()
    row.group = group
    gtk.name(row, f"{title}, {detail}" if detail else title, group)
    gtk.fill(row, line)
    if not gtk.is_4():
        row.show_all()
    return row


class ApplicationDialog:
    """A search field above the list of applications; the first that would change something is
    selected."""

    title = _("Tag with Application")
    accept = _("_Tag")
    search = _("Search for an application")
    nothing = _("No application has “{}” in its name or identifier")
    none = _("No application is known; type an identifier")
    """What is said where there is nothing to choose from."""
    rows_name = _("Applications")
    """What assistive technology calls the list."""
    has_sources = True
    """Whether the sources of several files are listed."""
    takes_identifiers = True
    """Whether what was typed can be chosen where nothing matches it."""

    def __init__(
        self, application: "Gtk.Application", files: List[bytes], offered: List[Any],
        parent: Optional[str], choose: Callable[["Gtk.Window", Any], None],
    ) -> None:
        self._offered = offered
        self._choose = choose
        self._shown: List[Any] = []
        self.window = Gtk.ApplicationWindow(
            application=application, title=self.title, default_width=440,
            default_height=520)
        gtk.on_keys(self.window, self._key)
        gtk.fill(self.window, self._content(files))
        gtk.decorate(self.window, self._rows)
        self._list()
        gtk.present(self.window, parent)
        self._search.grab_focus()

    def _content(self, files: List[bytes]) -> "Gtk.Widget":
        count = len(files)
        name = escaped(os.fsdecode(os.path.basename(files[0])))
        self._subject = Gtk.Box(spacing=12)
        gtk.append(self._subject, Gtk.Label(
            label=name if count == 1 else _n("{} file", "{} files", count).format(count),
            xalign=0, ellipsize=Pango.EllipsizeMode.MIDDLE))
        self._undo: Optional["Gtk.Button"] = None
        self._search = Gtk.SearchEntry()
        self._search.set_property("placeholder-text", self.search)
        self._search.connect("search-changed", lambda _: self._list())
        self._search.connect("activate", lambda _: self._accepted())
        gtk.name(self._search, self.search)
        gtk.type_into(self.window, self._search)
        self._empty = Gtk.Label(xalign=0, wrap=True)
        if not gtk.is_4():
            self._empty.set_no_show_all(True)
        self._rows = Gtk.ListBox()
        self._rows.set_selection_mode(Gtk.SelectionMode.BROWSE)
        self._rows.connect("row-activated", lambda *_: self._accepted())
        self._rows.connect("row-selected", lambda *_: self._selected())
        self._rows.set_header_func(self._head)
        gtk.name(self._rows, self.rows_name)
        self._scrolled = Gtk.ScrolledWindow()
        gtk.name(self._scrolled, self.rows_name)
        gtk.fill(self._scrolled, self._rows)

        self._cancel = gtk.button(_("_Cancel"))
        self._cancel.connect("clicked", lambda _: self.window.close())
        self._accept = gtk.button(self.accept)
        self._accept.get_style_context().add_class("suggested-action")
        self._accept.connect("clicked", lambda _: self._accepted())
        buttons = Gtk.Box(spacing=6, halign=Gtk.Align.END)
        gtk.append(buttons, self._cancel)
        gtk.append(buttons, self._accept)

        self._box = box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
        gtk.margin(box, 12)
        gtk.append(box, self._subject)
        sources = source_groups.lines(files) if self.has_sources else []
        if sources:
            label = Gtk.Label(label="\n".join(sources), xalign=0, wrap=True)
            label.get_style_context().add_class("dim-label")
            gtk.append(box, label)
        for widget in self._search, self._empty:
            gtk.append(box, widget)
        gtk.append(box, self._scrolled, expand=True)
        gtk.append(box, buttons)
        return box

    def offer_undo(self, what: str, take_back: Callable[["Gtk.Window"], None]) -> None:
        """Offers to take back the last change of the files, at the top."""
        def clicked(_button: "Gtk.Button") -> None:
            self.window.set_sensitive(False)
            take_back(self.window)

        line = Gtk.Box(spacing=12)
        label = Gtk.Label(label=what, xalign=0, wrap=True, hexpand=True)
        gtk.append(line, label)
        self._undo = gtk.button(_("_Undo"))
        self._undo.set_valign(Gtk.Align.CENTER)
        self._undo.connect("clicked", clicked)
        gtk.append(line, self._undo)
        gtk.prepend(self._box, line)

    def _list(self) -> None:
        text = self._search.get_text().strip()
        words = text.casefold().split()
        self._shown = ranked([one for one in self._offered if one.matches(words)], text)
        is_empty = not self._shown
        if is_empty and text and self.takes_identifiers:
            self._shown = [typed(text)]
        self._empty.set_text(self.nothing.format(escaped(text)) if text else self.none)
        self._empty.set_visible(is_empty)
        gtk.clear(self._rows)
        for one in self._shown:
            self._rows.insert(self._row(one, is_empty), -1)
        # Nothing is chosen in advance that changes nothing.
        first = next(
            (index for index, one in enumerate(self._shown) if not one.is_present), None)
        if first is not None:
            self._rows.select_row(self._rows.get_row_at_index(first))
        self._scrolled.get_vadjustment().set_value(0)
        self._selected()

    @staticmethod
    def _row(one: Application, is_typed: bool) -> "Gtk.Widget":
        title = escaped(one.shown_name)
        if is_typed:
            title = _("Use “{}” as identifier").format(title)
        installed = applications.find(one.identifier)
        icon = installed.icon if installed is not None else None
        # Screen readers do not read the headings of groups.
        return list_row(
            title, "" if is_typed else escaped(one.identifier), gtk.image(icon or UNKNOWN),
            one.group)

    @staticmethod
    def _head(row: "Gtk.ListBoxRow", before: Optional["Gtk.ListBoxRow"]) -> None:
        """Puts the name of its group above the first row of each."""
        group = row.group if before is None or before.group != row.group else ""
        head = Gtk.Label(label=group, xalign=0, margin_start=6, margin_top=6) if group else None
        if head is not None:
            head.get_style_context().add_class("dim-label")
            head.show()
        row.set_header(head)

    def _key(self, key: int) -> bool:
        """Whether a key is one of the dialog's own."""
        if key in ESCAPE:
            self.window.close()
            return True
        if key in TAB or key in BACK_TAB:
            self._go_on(1 if key in TAB else -1)
            return True
        if key not in DOWN and key not in UP:
            return False
        row = self._rows.get_selected_row()
        if row is None and not self._shown:
            return False
        index = 0 if row is None else row.get_index() + (1 if key in DOWN else -1)
        if index < 0:
            self._search.grab_focus()
            return True
        other = self._rows.get_row_at_index(index) or row
        self._rows.select_row(other)
        other.grab_focus()
        self.window.set_focus_visible(True)
        return True

    def _go_on(self, step: int) -> None:
        """Gives the keys to the next part of the dialog: GTK would go through all rows."""
        parts = [self._search, self._rows, self._cancel, self._accept]
        if self._undo is not None:
            parts.insert(0, self._undo)
        focus = self.window.get_focus()
        place = next((
            index for index, part in enumerate(parts)
            if focus is not None and (focus is part or focus.is_ancestor(part))), 0)
        while True:
            place = (place + step) % len(parts)
            part = parts[place]
            if part is self._rows:
                part = self._rows.get_selected_row() or self._rows.get_row_at_index(0)
            if part is not None and part.is_sensitive():
                break
        part.grab_focus()
        self.window.set_focus_visible(True)

    def _selected(self) -> None:
        self._accept.set_sensitive(self._rows.get_selected_row() is not None)

    def _accepted(self) -> None:
        row = self._rows.get_selected_row()
        if row is not None:
            self.window.set_sensitive(False)
            self._choose(self.window, self._shown[row.get_index()])
