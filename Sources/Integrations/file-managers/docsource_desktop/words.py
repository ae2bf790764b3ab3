"""Puts in words, in the user's language, where a file came from."""

import errno
import locale
import os
import re
import unicodedata
import urllib.parse
from typing import Optional

from documentsource import Part, PartKind, Source, Status, escaped
from gi.repository import GLib

from docsource_desktop.answer import Answer, Refusal
from docsource_desktop.applications import applications
from docsource_desktop.places import text as _

COLUMN_WIDTH = 30
"""The width of a text in a list, in letters."""
PATH_WIDTH = 60
LIMIT = 4096
"""The most characters of one text on a page."""


def shown(text: str) -> str:
    """An untrusted text for a page."""
    return escaped(text) if len(text) <= LIMIT else escaped(text[:LIMIT]) + "…"


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fitting(text: str, width: int) -> str:
    """As much of an escaped text as fits, without half an escape or half a letter at the end."""
    used = 0
    for position, character in enumerate(text):
        used += _width(character)
        if used > width:
            return re.sub(r"\\(u(\{\w*)?|x\w?)?$", "", text[:position]).rstrip(" \u200d")
    return text


def shortened(text: str, width: int = COLUMN_WIDTH) -> str:
    """An untrusted text for a list."""
    text = escaped(text[:4 * width])
    fitting = _fitting(text, width)
    return text if fitting == text else _fitting(text, width - 1) + "…"


def shortened_path(path: str, width: int = PATH_WIDTH) -> str:
    """An untrusted path with the name of the file in it."""
    whole = shown(path)
    if _fitting(whole, width) == whole:
        return whole
    directory, _slash, name = whole.rstrip("/").rpartition("/")
    if not directory or _fitting(name, width - 4) != name:
        # The end of a name tells its type.
        head = _fitting(name, width * 2 // 3)
        return f"…/{head}…{name[-width // 4:]}" if directory else f"{head}…{name[-width // 4:]}"
    return f"{_fitting(directory, width - 2 - sum(map(_width, name)))}…/{name}"


def reason(refusal: Refusal) -> str:
    """Why a call failed."""
    status, number = refusal
    if status == Status.NOT_FOUND:
        return _("The file does not exist")
    if status == Status.NOT_PERMITTED:
        read_only = number == errno.EROFS
        return _("The file system is read-only") if read_only else _("Access is denied")
    if status == Status.NOT_SUPPORTED:
        return _("This file, or its file system, cannot store a source")
    if status == Status.NO_SPACE:
        return _("The file system has no space for the source")
    if status == Status.DAMAGED:
        return _("The present source is damaged; remove it first")
    if status == Status.REFUSED:
        return _("The identifier, name or address of the application cannot be stored")
    return os.strerror(number) if number else _("Unknown error")


def damage(offset: int) -> str:
    return _("A mark cannot be decoded (error at byte {})").format(offset)


# Of documentsource.h.
_ZONES = {
    "local machine": lambda: _("Local machine"), "local intranet": lambda: _("Local intranet"),
    "trusted sites": lambda: _("Trusted sites"), "Internet": lambda: _("Internet"),
    "restricted sites": lambda: _("Restricted sites"),
}


def zone(name: str) -> str:
    """A security zone of Windows."""
    words = _ZONES.get(name)
    return words() if words else escaped(name)


def host(name: str) -> str:
    """A host, in quotes if it could be taken for our words."""
    if re.fullmatch(r"[A-Za-z0-9._:\[\]-]+", name):
        return name
    return _("“{}”").format(escaped(name))


def package(title: str) -> str:
    """A package with its version, in quotes if it could be taken for our words."""
    if re.fullmatch(r"[A-Za-z0-9._+~:^-]+( [A-Za-z0-9._+~:^-]+)?", title):
        return title
    return _("“{}”").format(escaped(title))


def day(time: str) -> str:
    """The day of a time in ISO format, as docsource trace has it."""
    # Translators: a date, as for date(1).
    return GLib.DateTime.new_from_iso8601(time, None).format(_("%B %-d, %Y"))


def moment(time: str) -> str:
    """A time in ISO format, as the clock on the wall has it."""
    # Translators: the same date with the time, as for date(1).
    return GLib.DateTime.new_from_iso8601(time, None).to_local().format(_("%B %-d, %Y, %H:%M"))


def link(text: str) -> Optional[str]:
    """What an untrusted text leads to if it is an address of the web or of a person."""
    if len(text) > LIMIT or escaped(text) != text:
        return None
    if re.fullmatch(r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", text):
        return f"mailto:{text}"
    try:
        url = urllib.parse.urlsplit(text)
        is_web = url.scheme in ("http", "https", "ftp") and bool(url.hostname)
    except ValueError:
        return None
    return text if is_web and not re.search(r"[\s<>\"\\]", text) else None


def _plain(part: Part) -> str:
    """A part without program and time."""
    name = part.origin or ""
    if part.kind == PartKind.APPLICATION:
        return _("from “{}”").format(shown(name))
    if part.kind == PartKind.CREATOR:
        return _("made by “{}”").format(shown(name))
    if part.kind == PartKind.DOWNLOAD:
        return _("downloaded from {}").format(host(name)) if name else _("downloaded")
    if part.kind == PartKind.LIKELY_DOWNLOAD:
        return _("probably downloaded from {}").format(host(name)) if name else (
            _("probably downloaded"))
    if part.kind == PartKind.MESSAGE:
        return _("sent by “{}”").format(shown(name))
    if part.kind == PartKind.PAGE:
        return _("linked from {}").format(host(name))
    if part.kind == PartKind.PROGRAM:
        return _("written by “{}”").format(shown(name))
    if part.kind == PartKind.DEVICE:
        return _("made with “{}”").format(shown(name))
    if part.kind == PartKind.PACKAGE:
        return _("from the package {}").format(package(name))
    if part.kind == PartKind.ZONE:
        return _("from zone {}").format(zone(name))
    return _("written")


def _worded(part: Part) -> str:
    words = _plain(part)
    if part.program is not None:
        words = _("{} by “{}”").format(words, shown(part.program))
    if part.time is not None:
        words = _("{} on {}").format(words, day(part.time))
    return words


def sentence(answer: Answer) -> str:
    """The short answer of `docsource trace`; empty if no mark says where the file came from."""
    words = ""
    for part in answer.parts:
        worded = _worded(part)
        words = _("{}, {}").format(words, worded) if words else worded
    if words and answer.is_doubtful:
        words = _("{}; marks contradict each other").format(words)
    return words[:1].upper() + words[1:]


def called(source: Source) -> Optional[str]:
    """What to call the application of a file."""
    return applications.name(source.identifier, source.name)


def _is_ours(text: str) -> bool:
    """Whether an untrusted text begins like words of ours."""
    templates = (
        _("from {}"), _("made by “{}”"), _("downloaded"), _("written"), _("{} by “{}”"))
    beginnings = [template.partition("{}")[0] for template in templates]
    doubt = _("{} (contradictory)").partition("{}")[2]
    return text.startswith(("(", "（", *filter(None, beginnings))) or text.endswith(doubt)


def _origin(part: Part) -> str:
    if part.kind in (PartKind.DOWNLOAD, PartKind.PAGE, PartKind.MESSAGE) and part.origin:
        name = part.origin if part.kind == PartKind.MESSAGE else host(part.origin)
        return _("from {}").format(shortened(name, COLUMN_WIDTH - 5))
    return shortened(_worded(part._replace(time=None)))


def column(answer: Answer) -> str:
    """What the list says of a file."""
    text = _certain(answer)
    return _("{} (contradictory)").format(text) if text and answer.is_doubtful else text


def _certain(answer: Answer) -> str:
    if answer.damage is not None and answer.source is None:
        return _("(damaged)")
    application = answer.application
    if application is not None:
        name = called(application)
        if not name:
            return _("(unnamed application)")
        text = shortened(name)
        return _("“{}”").format(text) if _is_ours(text) else text
    if answer.refusal is not None:
        return _("(cannot be read)")
    return _origin(answer.parts[0]) if answer.parts else ""


# File managers compare the bytes of the texts that extensions give them, and no extension can have
# them do otherwise. So a text begins with its weights in that language, in characters that show
# nothing: tags, whose bytes are in the order of their numbers. Programs that compare texts by
# language pass over these characters, and so does whoever draws or reads them out.
_FIRST = 0xe0020
_COUNT = 95
_ONES, _TWOS, _THREES = 60, 20, 14
"""How many characters begin a weight of one, two and three characters. None begins with the last."""
_WEIGHTS = 16
_SEPARATOR = "\x01"
"""Between the weights of letters and those of accents and capitals, in the GNU C library."""

LAST = chr(_FIRST + _COUNT - 1)
"""Sorts after all texts."""


def _digits(weight: int) -> "tuple[int, ...]":
    if weight < _ONES:
        return (weight,)
    weight -= _ONES
    if weight < _TWOS * _COUNT:
        return _ONES + weight // _COUNT, weight % _COUNT
    weight = min(weight - _TWOS * _COUNT, _THREES * _COUNT * _COUNT - 1)
    first, rest = divmod(weight, _COUNT * _COUNT)
    return _ONES + _TWOS + first, rest // _COUNT, rest % _COUNT


def sortable(text: str) -> str:
    """A text, which may be empty, that file managers sort by the user's language."""
    if not text:
        return LAST
    try:
        weights = locale.strxfrm(text.casefold()).partition(_SEPARATOR)[0][:_WEIGHTS]
    except (OSError, ValueError):
        return text
    # Nothing but what shows nothing comes before the text.
    return "".join(
        chr(_FIRST + digit) for weight in weights for digit in _digits(ord(weight))) + text


def visible(text: str) -> str:
    """The text without the weights."""
    return text.lstrip("".join(chr(_FIRST + digit) for digit in range(_COUNT)))
