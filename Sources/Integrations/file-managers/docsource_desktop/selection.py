"""Several files that are shown together."""

import os
import re
import urllib.parse
from typing import Callable, Iterator, List, NamedTuple, Optional, Tuple

from documentsource import Source, Subject, escaped
from gi.repository import GObject

from docsource_desktop import words
from docsource_desktop.answer import Answer
from docsource_desktop.files import answer, local_path
from docsource_desktop.places import ngettext as _n
from docsource_desktop.places import text as _

_FILES_READ = 200
"""The largest number of files that are read."""


class Property(NamedTuple):
    """A line of the properties page."""

    label: str
    value: str
    link: Optional[str] = None
    tip: Optional[str] = None
    """The whole of a shortened value."""


def _value_of(field: str) -> Callable[[Answer], Optional[str]]:
    def value(one: Answer) -> Optional[str]:
        return getattr(one.application, field) if one.application is not None else None

    return value


def _name(one: Answer) -> Optional[str]:
    """The name of the application in the user's language."""
    source = one.application
    return words.called(source) if source is not None and (
        source.name or words.applications.find(source.identifier)) else None


class Selection:
    """What several files have in common."""

    def __init__(self, files: List[GObject.Object], has_records: bool = False) -> None:
        """`has_records`: what browsers have recorded and what the content names count, for a single file."""
        self.files = files
        is_single = len(files) == 1
        self.answers = [
            answer(file, is_single, has_records and is_single) for file in files[:_FILES_READ]]
        self.sources = [one.source for one in self.answers if one.source is not None]

    @property
    def is_read(self) -> bool:
        """Whether all of the files were read."""
        return len(self.answers) == len(self.files)

    @property
    def is_told(self) -> bool:
        """Whether any of the files says where it came from."""
        return any(self.answers)

    @property
    def application(self) -> Optional[Source]:
        """A source with the application that all the files came from."""
        sources = [one.application for one in self.answers]
        if not sources or sources[0] is None or not self.is_read:
            return None
        same = all(one is not None and one[0::3] == sources[0][0::3] for one in sources)
        return sources[0] if same else None

    @property
    def may_be_copied(self) -> bool:
        return not self.is_read or any(one.application or one.parts for one in self.answers)

    @property
    def may_be_removed(self) -> bool:
        """Whether any of the files has a source of its own, or was not read."""
        return not self.is_read or any(
            one.source is not None or one.damage is not None for one in self.answers)

    @property
    def address(self) -> Optional[str]:
        """The address that a single file was downloaded from, or linked from."""
        if len(self.files) != 1:
            return None
        says = self.answers[0].says
        return says.get(Subject.URL) or says.get(Subject.REFERRER)

    @property
    def website(self) -> Optional[str]:
        """The website that the applications of all files have."""
        sites = {one.application and website(one.application) for one in self.answers}
        return sites.pop() if len(sites) == 1 and self.is_read else None

    def lines(self) -> List[Property]:
        """The content of the properties page, at least one line."""
        return list(self._properties()) or [Property(_("No document source"), "")]

    def _properties(self) -> Iterator[Property]:
        one = self.answers[0]
        is_single = len(self.files) == 1
        if is_single and (one.is_doubtful or one.parts[1:] or one.origin):
            yield Property(_("Origin"), words.sentence(one))
        for label, subject, value in (
            (_("Application"), Subject.NAME, _name),
            (_("Identifier"), Subject.IDENTIFIER, _value_of("identifier")),
        ):
            if is_single and subject in one.disputes:
                yield from _disputed(one, label, subject)
                continue
            values = list(dict.fromkeys(map(value, self.answers)))
            if len(values) > 1:
                count = len(values)
                yield Property(label, _n("{} value", "{} different values", count).format(count))
            elif values[0] is not None:
                yield Property(label, words.shown(values[0]))
        path = self._common(_value_of("path"))
        if is_single and Subject.PATH in one.disputes:
            yield from _disputed(one, _("Document"), Subject.PATH)
        elif path:
            short = words.shortened_path(path)
            whole = words.shown(path)
            yield Property(_("Document"), short, tip=None if short == whole else whole)
        url = self._common(_value_of("app_info_url"))
        if url:
            yield Property(_("App info"), words.shown(url), self.website or words.link(url))
        if is_single:
            yield from _details(one)
        else:
            count = sum(one.application is not None for one in self.answers)
            yield Property(
                _("Files with a source"), _("{} of {}").format(count, len(self.answers)))

    def _common(self, value: Callable[[Answer], Optional[str]]) -> Optional[str]:
        """The value that all files have."""
        values = set(map(value, self.answers))
        return values.pop() if len(values) == 1 and self.is_read else None


def _details(one: Answer) -> Iterator[Property]:
    """Who tagged a file, what marks of other systems say of it, and what is wrong with its marks."""
    if Subject.TAGGED_BY_WATCH in one.says:
        yield Property(
            _("Tagged automatically"), words.moment(one.says[Subject.TAGGED_BY_WATCH]))
    if one.is_witnessed:
        yield Property(
            _("Verified"), _("✓ This computer saw the application write the file"))
    for label, subject in (
        (_("Downloaded from"), Subject.URL), (_("Linked from"), Subject.REFERRER),
        (_("Sender"), Subject.SENDER), (_("Made by"), Subject.CREATOR),
        (_("Program"), Subject.AGENT), (_("Time"), Subject.DOWNLOADED),
        (_("Windows zone"), Subject.ZONE),
    ):
        if subject in one.disputes:
            yield from _disputed(one, label, subject)
        elif subject in one.says:
            yield _said(label, subject, one.says[subject])
    for label, subject in (
        (_("Written by"), Subject.PROGRAM), (_("Made with"), Subject.DEVICE),
        (_("Package"), Subject.PACKAGE),
    ):
        # What these say, the short answer has.
        if subject in one.disputes:
            yield from _disputed(one, label, subject)
    if one.damage is not None:
        yield Property(_("Damaged"), words.damage(one.damage))
    if one.refusal is not None:
        yield Property(_("Cannot be read"), words.reason(one.refusal))


def _said(label: str, subject: Subject, value: str) -> Property:
    """What a mark says, as a line."""
    if subject == Subject.DOWNLOADED:
        return Property(label, words.moment(value))
    if subject == Subject.ZONE:
        return Property(label, words.zone(value))
    return Property(label, words.shown(value), words.link(value))


def _disputed(one: Answer, label: str, subject: Subject) -> Iterator[Property]:
    """The values that contradict each other, one below the other, with the marks that have them."""
    for value, mark in one.disputes[subject]:
        line = _said(label, subject, value)
        yield line._replace(value=_("{} ({})").format(line.value, words.shown(mark)))


def description(file: GObject.Object, one: Answer) -> str:
    """The source of a file as `docsource show` prints it."""
    lines: List[Tuple[str, Optional[str]]] = [(_("Origin"), words.sentence(one) or None)]
    source = one.application
    if source is not None:
        lines = [
            (_("Application"), words.called(source) if source.name else None),
            (_("Identifier"), source.identifier), (_("Document"), source.path),
            (_("App info"), source.app_info_url)]
    name = escaped(os.fsdecode(os.path.basename(local_path(file) or b"")))
    return "\n".join([name, *(
        f"  {label}: {escaped(value)}" for label, value in lines if value is not None)])


# Below these everybody has a domain of his own.
_SHARED = {
    "bitbucket.io", "codeberg.page", "github.com", "github.io", "gitlab.com", "gitlab.io",
    "netlify.app", "pages.dev", "sourceforge.io", "sourceforge.net", "sr.ht", "vercel.app",
}
_SECOND_LEVEL = {"ac", "co", "com", "edu", "gov", "net", "org"}


def _domain(identifier: str) -> Optional[str]:
    """The maker's domain, which an identifier begins with: org.example.editor is of example.org."""
    labels = identifier.lower().split(".")
    count = 2
    is_national = len(labels[0]) == 2 and len(labels) > 2 and labels[1] in _SECOND_LEVEL
    if is_national or ".".join(labels[1::-1]) in _SHARED:
        count = 3
    return ".".join(labels[count - 1::-1]) if len(labels) > count else None


def website(source: Source) -> Optional[str]:
    """The site that lists the icons of the application, if it is the maker's own by its name."""
    domain = _domain(source.identifier or "")
    try:
        url = urllib.parse.urlsplit(source.app_info_url or "")
        host, port = url.hostname, url.port
    except ValueError:
        return None
    if url.scheme != "https" or not host or not re.fullmatch(r"[a-z0-9.-]+", host):
        return None
    if domain is None or not (host == domain or host.endswith(f".{domain}")):
        return None
    return f"https://{host}/" if port in (None, 443) else f"https://{host}:{port}/"
