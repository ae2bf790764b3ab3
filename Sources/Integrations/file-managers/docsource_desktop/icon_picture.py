"""The icon of an application."""

import os
from typing import Optional

import documentsource
from documentsource import Origin, Source, Status
from gi.repository import Gio, GLib

from docsource_desktop.applications import UNKNOWN, applications
from docsource_desktop.host import Gtk
from docsource_desktop.report import guarded, report


class IconPicture:
    """The icon of an application in a widget of Gtk 3, replaced when a better icon arrives."""

    _POINTS = 48

    def __init__(self) -> None:
        self.widget = Gtk.Image()
        self.widget.connect("destroy", self._close)
        self._source: Optional[Source] = None
        self._fetch: Optional[documentsource.Fetch] = None
        self._watch = 0

    def show(self, source: Optional[Source]) -> None:
        if self._source is not None and source is not None and self._source[0::3] == source[0::3]:
            return
        self._close()
        self._source = source
        if source is None:
            return self.widget.clear()
        icon = self._find()
        if icon.is_fetchable and source.app_info_url:
            try:
                self._fetch = documentsource.Fetch(
                    source.app_info_url, self._POINTS, self.widget.get_scale_factor())
            except documentsource.Error:  # docsource-fetch is not installed
                return
            self._watch = GLib.io_add_watch(
                self._fetch.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, self._fetched)

    def _find(self) -> documentsource.Icon:
        icon = documentsource.find_icon(
            self._source.identifier, self._source.app_info_url, self._POINTS,
            self.widget.get_scale_factor())
        installed = applications.find(self._source.identifier)
        if icon.path is not None and icon.origin != Origin.GENERIC:
            self._draw(Gio.FileIcon.new(Gio.File.new_for_path(os.fsdecode(icon.path))))
        else:
            named = installed.icon if installed is not None else None
            self._draw(Gio.ThemedIcon.new_from_names([*filter(None, [named]), UNKNOWN]))
        report(
            "icon", identifier=self._source.identifier, origin=icon.origin.name,
            fetchable=icon.is_fetchable)
        return icon

    def _draw(self, icon: Gio.Icon) -> None:
        """Draws the icon at the screen's scale. A surface of cairo would do, too, but needs
        python3-gi-cairo."""
        self.widget.set_from_gicon(icon, Gtk.IconSize.DIALOG)
        self.widget.set_pixel_size(self._POINTS)

    @guarded(lambda: False)
    def _fetched(self, *_: object) -> bool:
        self._watch = 0
        fetch, self._fetch = self._fetch, None
        try:
            status = fetch.result()
            report("fetched", identifier=self._source.identifier, status=status.name)
            if status == Status.OK:
                if fetch.picture:
                    self._draw(Gio.BytesIcon.new(GLib.Bytes.new(fetch.picture)))
                else:
                    self._find()
        finally:
            fetch.close()
        return False

    def _close(self, *_: object) -> None:
        if self._watch:
            GLib.source_remove(self._watch)
            self._watch = 0
        if self._fetch:
            self._fetch.close()
            self._fetch = None
