"""Several files that are shown together."""

import os
import re
import urllib.parse
from typing import Iterator, List, NamedTuple, Optional

from documentsource import Source, escaped
from gi.repository import GObject

from docsource_desktop.answer import Answer, Damaged, local_path, read
from docsource_desktop.mounts import mounts
from docsource_desktop.places import ngettext as _n
from docsource_desktop.places import text as _
from docsource_desktop.slow_files import slow_files

_FILES_READ = 200
"""The largest number of files that are read."""
_CHARACTERS_SHOWN = 200


def shown(text: str) -> str:
    """An untrusted text, shortened for a limited space."""
    text = escaped(text[:_CHARACTERS_SHOWN + 1])
    return text if len(text) <= _CHARACTERS_SHOWN else text[:_CHARACTERS_SHOWN] + "…"


def _website(source: Source) -> Optional[str]:
    """The site that lists the icons of the application, taken for its website."""
    try:
        url = urllib.parse.urlsplit(source.app_info_url or "")
        host, port = url.hostname, url.port
    except ValueError:
        return None
    if url.scheme != "https" or not host or not re.fullmatch(r"[a-z0-9.-]+", host):
        return None
    return f"https://{host}/" if port in (None, 443) else f"https://{host}:{port}/"


def answer(file: GObject.Object) -> Answer:
    """What is known about a file without waiting."""
    path = local_path(file)
    if path is None:
        return None
    return slow_files.known(path) if mounts.is_slow(path) else read(path)


class Property(NamedTuple):
    """A line of the properties page."""

    label: str
    value: str
    link: Optional[str] = None


class Selection:
    """What several files have in common."""

    def __init__(self, files: List[GObject.Object]) -> None:
        self.files = files
        answers = [answer(file) for file in files[:_FILES_READ]]
        self.read = len(answers)
        self.sources = [one for one in answers if isinstance(one, Source)]
        self.damaged = [one for one in answers if isinstance(one, Damaged)]

    @property
    def application(self) -> Optional[Source]:
        """A source with the application that all the files came from."""
        same = len({source[0::3] for source in self.sources}) == 1
        return self.sources[0] if same else None

    @property
    def may_have_source(self) -> bool:
        """Whether any of the files has a source or was not read."""
        return bool(self.sources) or len(self.files) > self.read

    @property
    def websites(self) -> List[str]:
        return sorted({site for site in map(_website, self.sources) if site})

    def lines(self) -> List[Property]:
        """The content of the properties page, at least one line."""
        return list(self._properties()) or [Property(_("No document source"), "")]

    def _properties(self) -> Iterator[Property]:
        for label, field in (
            (_("Application"), "name"), (_("Identifier"), "identifier"), (_("Document"), "path"),
            (_("App info"), "app_info_url"),
        ):
            values = {getattr(source, field) for source in self.sources} - {None}
            if len(values) == 1:
                value = values.pop()
                is_link = field == "app_info_url" and len(self.websites) == 1
                yield Property(label, shown(value), self.websites[0] if is_link else None)
            elif values:
                count = len(values)
                yield Property(label, _n("{} value", "{} different values", count).format(count))
        if self.damaged:
            yield Property(_("Damaged"), shown(self.damaged[0].reason))
        if self.read > 1:
            yield Property(
                _("Files with a source"),
                _("{} of {}").format(len(self.sources), self.read))


def description(file: GObject.Object, source: Source) -> str:
    """The source of a file as `docsource show` prints it."""
    labels = _("Application"), _("Identifier"), _("Document"), _("App info")
    values = source.name, source.identifier, source.path, source.app_info_url
    lines = [escaped(os.fsdecode(os.path.basename(local_path(file) or b"")))]
    lines += [
        f"  {label}: {escaped(value)}" for label, value in zip(labels, values) if value is not None]
    return "\n".join(lines)
