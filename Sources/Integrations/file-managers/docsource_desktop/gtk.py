"""The version of Gtk that a dialog has, and the calls that differ between the versions."""

import re
from typing import Callable, Optional

import gi

from docsource_desktop.foreign_parent import attach

# The keys of dialogs, which have the same numbers in all versions.
ESCAPE = 0xff1b,
UP = 0xff52, 0xff97  # and that of the number pad
DOWN = 0xff54, 0xff99
TAB = 0xff09, 0xff89
BACK_TAB = 0xfe20,


def load(version: str) -> None:
    """Loads the given version of GTK, or the other one if that is not installed."""
    other = "3.0" if version == "4.0" else "4.0"
    for name in version, other:
        try:
            gi.require_version("Gtk", name)
            gi.require_version("Gdk", name)
            break
        except ValueError:
            continue
    global Adw, Gdk, Gtk
    from gi.repository import Gdk, Gtk
    Adw = None
    if is_4():
        try:
            gi.require_version("Adw", "1")
            from gi.repository import Adw
        except (ImportError, ValueError):  # not installed: plain GTK does, too
            pass


def is_4() -> bool:
    return bool(Gtk.MAJOR_VERSION >= 4)


def application(identifier: str) -> "Gtk.Application":
    """One that may run several times at once, in the style of libadwaita where that is installed."""
    from gi.repository import Gio
    kind = Gtk.Application if Adw is None else Adw.Application
    return kind(application_id=identifier, flags=Gio.ApplicationFlags.NON_UNIQUE)


def follow_dark_style() -> None:
    if Adw is not None:
        Adw.StyleManager.get_default().set_color_scheme(Adw.ColorScheme.PREFER_DARK)
        return
    Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", True)


def fill(container: "Gtk.Widget", child: "Gtk.Widget") -> None:
    if is_4():
        container.set_child(child)
    else:
        container.add(child)


def append(box: "Gtk.Box", child: "Gtk.Widget", expand: bool = False) -> None:
    if is_4():
        child.set_vexpand(expand)
        box.append(child)
    else:
        box.pack_start(child, expand, True, 0)


def prepend(box: "Gtk.Box", child: "Gtk.Widget") -> None:
    if is_4():
        box.prepend(child)
    else:
        child.show_all()
        box.pack_start(child, False, True, 0)
        box.reorder_child(child, 0)


def clear(rows: "Gtk.ListBox") -> None:
    while row := rows.get_row_at_index(0):
        rows.remove(row)


def decorate(window: "Gtk.Window", rows: "Gtk.ListBox") -> None:
    """Gives a window a header bar, and its list the frame that lists have, with libadwaita."""
    if Adw is None:
        return
    window.set_titlebar(Adw.HeaderBar())
    rows.add_css_class("boxed-list")
    rows.set_valign(Gtk.Align.START)
    # The shadow of the frame is outside of the list.
    margin(rows, 3)


def present(window: "Gtk.Window", parent: Optional[str]) -> None:
    """Shows a window above that of the file manager."""
    window.set_modal(parent is not None)
    if not is_4():
        window.set_type_hint(Gdk.WindowTypeHint.DIALOG)
        if parent is not None:
            window.set_position(Gtk.WindowPosition.CENTER_ON_PARENT)
        window.get_child().show_all()
    window.realize()
    if parent is not None:
        attach(window, parent)
    window.present()


def image(icon: str) -> "Gtk.Image":
    """An icon by its name in the theme, or by its path."""
    from gi.repository import Gio
    found = Gio.FileIcon.new(Gio.File.new_for_path(icon)) if icon.startswith("/") \
        else Gio.ThemedIcon.new(icon)
    if is_4():
        made = Gtk.Image.new_from_gicon(found)
    else:
        made = Gtk.Image.new_from_gicon(found, Gtk.IconSize.DND)
    made.set_pixel_size(32)
    return made


def middle(png: bytes, width: int, height: int) -> "Gtk.Widget":
    """The middle of a square picture, so many points wide and high, at the screen's scale."""
    from gi.repository import Gio, GLib
    side = max(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    data = GLib.Bytes.new(png)
    if is_4():
        from gi.repository import Graphene
        drawing = Gtk.Snapshot()
        drawing.push_clip(Graphene.Rect().init(0, 0, width, height))
        drawing.append_texture(
            Gdk.Texture.new_from_bytes(data), Graphene.Rect().init(left, top, side, side))
        drawing.pop()
        return Gtk.Picture(
            paintable=drawing.to_paintable(Graphene.Size().init(width, height)), can_shrink=False,
            halign=Gtk.Align.START, valign=Gtk.Align.CENTER,
            accessible_role=Gtk.AccessibleRole.PRESENTATION)
    shown = Gtk.Image.new_from_gicon(Gio.BytesIcon.new(data), Gtk.IconSize.DIALOG)
    shown.set_pixel_size(side)
    # It cuts off what is outside of it.
    made = Gtk.Layout(halign=Gtk.Align.START, valign=Gtk.Align.CENTER)
    made.set_size_request(width, height)
    made.put(shown, left, top)
    return made


def begin_in_home(chooser: "Gtk.FileChooser") -> None:
    """Shows the user's home directory at first."""
    from gi.repository import Gio, GLib
    home = GLib.get_home_dir()
    chooser.set_current_folder(Gio.File.new_for_path(home) if is_4() else home)


def margin(widget: "Gtk.Widget", size: int) -> None:
    for side in "top", "bottom", "start", "end":
        getattr(widget, f"set_margin_{side}")(size)


def without_key(label: str) -> str:
    """A label without the mark of its key: `_Tag` and `标记(_T)`."""
    return re.sub(r"\(_\w\)", "", label).replace("_", "")


def button(label: str) -> "Gtk.Button":
    made = Gtk.Button(label=label, use_underline=True)
    name_without_key(made)
    return made


def name_without_key(button: "Gtk.Button") -> None:
    """Names a button for assistive technology, which would read the mark of its key, too."""
    if is_4():  # which puts the text before what labels the button
        button.reset_relation(Gtk.AccessibleRelation.LABELLED_BY)
    name(button, without_key(button.get_label()))


def name(widget: "Gtk.Widget", text: str, description: str = "") -> None:
    """Names a widget for assistive technology."""
    if is_4():
        widget.update_property(
            [Gtk.AccessibleProperty.LABEL, Gtk.AccessibleProperty.DESCRIPTION],
            [text, description])
    else:
        widget.get_accessible().set_name(text)
        widget.get_accessible().set_description(description)


def on_keys(window: "Gtk.Window", handle: Callable[[int], bool]) -> None:
    """Has a function handle keys before the window's widgets, as long as it returns True."""
    if is_4():
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", lambda _keys, key, *_: handle(key))
        window.add_controller(keys)
    else:
        window.connect("key-press-event", lambda _window, event: handle(event.keyval))


def type_into(window: "Gtk.Window", search: "Gtk.SearchEntry") -> None:
    """Has letters go into a search field, wherever the keys go."""
    if is_4():
        search.set_key_capture_widget(window)
    else:
        window.connect_after(
            "key-press-event", lambda _window, event: search.handle_event(event))
