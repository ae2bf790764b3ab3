"""Read and write which application a file came from (the attribute x-document-source).

>>> import documentsource
>>> documentsource.write("letter.txt", identifier="org.example.editor", name="Editor")
>>> documentsource.read("letter.txt").name
'Editor'
>>> documentsource.remove("letter.txt")
True

The module calls libdocumentsource.so.1 through ctypes and releases the interpreter lock. Any thread
may call any function. A file is a path (str, bytes or os.PathLike) or an open descriptor. With
`dir_fd`, a path is relative to that directory. As in the functions of `os`, a descriptor cannot be
combined with `dir_fd` or `follow_symlinks=False`: both raise ValueError.

Only `Fetch` causes network traffic. A mark is a claim by whoever wrote the mark, not proof of
origin, and the texts of a mark may contain anything: escape them before showing them.
"""

import ctypes
import enum
import os
import re
import unicodedata
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from typing import Any, Dict, FrozenSet, NamedTuple, Optional, Tuple, Union

__all__ = [
    "Error", "Fetch", "Icon", "Item", "ItemAttachment", "Mark", "Origin", "Part", "PartKind",
    "Report", "Source", "Status", "Subject", "Trust", "escaped", "find_icon", "item",
    "may_have_more", "parse_item", "read", "remove", "trace", "write",
]

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
File = Union[Path, int]


class Status(enum.IntEnum):
    """The result of a call of the library; see documentsource.h."""

    OK = 0
    NO_SOURCE = 1
    DAMAGED = 2
    NOT_FOUND = 3
    NOT_PERMITTED = 4
    NOT_SUPPORTED = 5
    NO_SPACE = 6
    REFUSED = 7
    INVALID_ARGUMENT = 8
    SYSTEM_ERROR = 9
    NO_ICON = 10
    RUNNING = 11
    CANCELLED = 12
    FETCH_FAILED = 13
    NOT_INSTALLED = 14


class Origin(enum.IntEnum):
    """Where an icon comes from."""

    NONE = 0
    OVERRIDE = 1
    REMOTE = 2
    THEME = 3
    CATALOG = 4
    GENERIC = 5


class Source(NamedTuple):
    """The document source of a file: where the file came from.

    At least one of the first four values is a text.
    """

    identifier: Optional[str]
    """The reverse-DNS identifier of the application."""
    name: Optional[str]
    """The display name of the application."""
    path: Optional[str]
    """The path of the document inside the application."""
    app_info_url: Optional[str]
    """The URL of a JSON file that lists the icons of the application."""
    carrier: str
    """The name of the extended attribute that was read."""


class Subject(enum.IntEnum):
    """What a mark can describe; see documentsource.h."""

    IDENTIFIER = 0
    NAME = 1
    PATH = 2
    CREATOR = 3
    URL = 4
    REFERRER = 5
    SENDER = 6
    AGENT = 7
    DOWNLOADED = 8
    ZONE = 9
    TAGGED_BY_WATCH = 10
    """When 'docsource watch' tagged the file by itself."""
    PROGRAM = 11
    """The program that wrote the content, with its version, as the content names it."""
    DEVICE = 12
    """The camera or phone that recorded the content, likewise."""
    PACKAGE = 13
    """The package that has installed the file, with its version."""


class Trust(enum.IntEnum):
    """How far to trust a mark. No mark but a witnessed one proves anything."""

    CLAIM = 0
    """On the file itself: a claim by anyone who could write the file or who sent the file."""
    BESIDE = 1
    """In another file, which may belong to an earlier file of the same name."""
    FOREIGN = 2
    """In a file of another user: neither this user, the owner of the marked file nor root."""
    RECORD = 3
    """Recorded by a program of this user, or by one that installs packages."""
    EMBEDDED = 4
    """In the content: a program or a device names itself, unless somebody has named another."""
    WITNESSED = 5
    """Seen by a process of root while the file was written, and recorded where only root can write."""


class Mark(NamedTuple):
    """A mark of origin: what the mark says, where it is stored, and how far to trust it."""

    name: str
    """The name of the mark on its own system: com.apple.quarantine, Zone.Identifier."""
    form: str
    """The kind of carrier, as in `docsource trace --json`."""
    carrier: bytes
    """The carrier: the name of an attribute, or the path of a file relative to the directory of the
    marked file. If the file holds several marks, `:` and the name of the mark follow."""
    trust: Trust
    says: Dict[Subject, str]
    failure: Optional[str]
    """Why the mark has no value: it is empty or damaged, or the system refuses to read it."""
    offset: Optional[int]
    """For a damaged mark, the offset of the wrong byte."""
    content: bytes
    """The unchanged bytes of the mark."""


class PartKind(enum.IntEnum):
    """What a part of the short answer tells; see documentsource.h."""

    APPLICATION = 1
    CREATOR = 2
    DOWNLOAD = 3
    MESSAGE = 4
    PAGE = 5
    WRITING = 6
    ZONE = 7
    LIKELY_DOWNLOAD = 8
    PROGRAM = 9
    DEVICE = 10
    PACKAGE = 11


class Part(NamedTuple):
    """A part of the short answer about a file."""

    kind: PartKind
    origin: Optional[str]
    """The application, host, sender or zone."""
    program: Optional[str]
    """The program that downloaded or wrote the file."""
    time: Optional[str]
    """When: 2020-11-12T12:27:26Z"""


class Report(NamedTuple):
    """All marks that say where a file came from."""

    says: Dict[Subject, str]
    """The short answer: for each subject, the value of the mark that takes precedence."""
    marks: Tuple[Mark, ...]
    contradictions: FrozenSet[Subject]
    """The subjects about which marks contradict each other."""
    is_complete: bool
    """Whether every possible carrier of marks could be read."""
    parts: Tuple[Part, ...]
    """The short answer as its parts, in the order in which to show them."""
    is_doubtful: bool
    """Whether marks contradict each other, not counting those in files of other users."""
    is_witnessed: bool = False
    """Whether a process of root saw the application that the document source names write the file."""


class Icon(NamedTuple):
    """The icon of an application, found without the network."""

    path: Optional[bytes]
    """The path of a PNG or SVG file, in no particular encoding; None if there is none."""
    origin: Origin
    is_fetchable: bool
    """Whether a `Fetch` with the same arguments may yield an icon or a better icon."""


class ItemAttachment(NamedTuple):
    """A document of a share item."""

    types: Tuple[str, ...]
    """Its uniform types, the preferred one first."""
    content: Optional[bytes]
    """A text or URL in UTF-8, or data; None for a file."""
    path: Optional[str]
    """The path of a file, perhaps relative to the directory of the item; it is untrusted and can
    lead anywhere."""
    suggested_name: Optional[str]


class Item(NamedTuple):
    """A share item: what the app that handed a document over said of it."""

    title: Optional[str]
    content_text: Optional[str]
    source_url: Optional[str]
    referrer_name: Optional[str]
    referrer_app_store_id: Optional[str]
    referrer_google_play_id: Optional[str]
    referrer_web_url: Optional[str]
    referrer_ios_app_url: Optional[str]
    referrer_android_app_url: Optional[str]
    tags: Tuple[str, ...]
    attachments: Tuple[ItemAttachment, ...]


class Error(Exception):
    """A failed call. `status` is the result; `str()` says what failed and why."""

    def __init__(
        self, message: str, status: Status, number: int = 0, reason: Optional[str] = None,
        offset: Optional[int] = None, carrier: Optional[str] = None, file: Optional[File] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.errno = number
        """The error number of the system call, or 0."""
        self.reason = reason
        """For a damaged value, what is wrong with the value."""
        self.offset = offset
        """For a damaged value, the offset of the wrong byte or object."""
        self.carrier = carrier
        """For a damaged value, the name of its attribute."""
        self.file = file

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (
            self.args[0], self.status, self.errno, self.reason, self.offset, self.carrier, self.file)

    def __str__(self) -> str:
        message = super().__str__()
        if self.file is None or isinstance(self.file, int):
            return message
        return f"{os.fsdecode(self.file)}: {message}"


(_NO_FOLLOW, _REPLACE, _ANY_URL, _NO_OUTLINE, _NO_STROKE, _OFFLINE, _REFRESH, _KEEP_OTHER_FIELDS,
 _RECORDS, _EMBEDDED) = (1 << bit for bit in range(10))


class _Values(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("identifier", "name", "path", "app_info_url")]


_library = ctypes.CDLL("libdocumentsource.so.1")


def _declare(name: str, result: Any, *arguments: Any) -> "ctypes._FuncPointer":
    function: "ctypes._FuncPointer" = getattr(_library, f"docsource_{name}")
    function.restype, function.argtypes = result, arguments
    return function


_handle = POINTER(c_void_p)


class _FileFunction:
    """A function of the library in its three forms: by path, by descriptor, and by name."""

    def __init__(self, name: str, *arguments: Any) -> None:
        self._by_path = _declare(name, c_int, c_char_p, c_uint, *arguments)
        self._by_descriptor = _declare(f"{name}_fd", c_int, c_int, c_uint, *arguments)
        self._by_name = _declare(f"{name}_at", c_int, c_int, c_char_p, c_uint, *arguments)

    def __call__(
        self, file: File, options: int, follow_symlinks: bool, dir_fd: Optional[int],
        *arguments: object,
    ) -> int:
        status: int
        if isinstance(file, int):
            if dir_fd is not None or not follow_symlinks:
                raise ValueError(
                    "a descriptor cannot be combined with dir_fd or follow_symlinks=False")
            status = self._by_descriptor(_descriptor(file), options, *arguments)
            return status
        if not follow_symlinks:
            options |= _NO_FOLLOW
        if dir_fd is None:
            status = self._by_path(_path(file), options, *arguments)
        else:
            status = self._by_name(_descriptor(dir_fd), _path(file), options, *arguments)
        return status


_read = _FileFunction("read", _handle, _handle)
_write = _FileFunction("write", POINTER(_Values), _handle)
_remove = _FileFunction("remove", _handle)
_may_have_more = _FileFunction("may_have_more")
_report_read = _FileFunction("report_read", _handle, _handle)
_report_value = _declare("report_value", c_void_p, c_void_p, c_int, POINTER(c_size_t))
_report_is_contradictory = _declare("report_is_contradictory", c_int, c_void_p, c_int)
_report_is_complete = _declare("report_is_complete", c_int, c_void_p)
_report_is_doubtful = _declare("report_is_doubtful", c_int, c_void_p)
_report_is_witnessed = _declare("report_is_witnessed", c_int, c_void_p)
_part_count = _declare("report_part_count", c_size_t, c_void_p)
_part_kind = _declare("report_part_kind", c_int, c_void_p, c_size_t)
_part_origin = _declare(
    "report_part_origin", c_void_p, c_void_p, c_size_t, POINTER(c_size_t))
_part_program = _declare(
    "report_part_program", c_void_p, c_void_p, c_size_t, POINTER(c_size_t))
_part_time = _declare("report_part_time", c_char_p, c_void_p, c_size_t)
_report_count = _declare("report_count", c_size_t, c_void_p)
_mark_name = _declare("report_mark_name", c_char_p, c_void_p, c_size_t)
_mark_form = _declare("report_mark_form", c_char_p, c_void_p, c_size_t)
_mark_carrier = _declare("report_mark_carrier", c_char_p, c_void_p, c_size_t)
_mark_trust = _declare("report_mark_trust", c_int, c_void_p, c_size_t)
_mark_value = _declare(
    "report_mark_value", c_void_p, c_void_p, c_size_t, c_int, POINTER(c_size_t))
_mark_failure = _declare("report_mark_failure", c_char_p, c_void_p, c_size_t)
_mark_offset = _declare("report_mark_offset", c_int64, c_void_p, c_size_t)
_mark_bytes = _declare("report_mark_bytes", c_void_p, c_void_p, c_size_t, POINTER(c_size_t))
_item_read = _FileFunction("item_read", _handle, _handle)
_item_parse = _declare("item_parse", c_int, c_char_p, c_size_t, _handle, _handle)
_item_value = _declare("item_value", c_void_p, c_void_p, c_int, POINTER(c_size_t))
_item_tag_count = _declare("item_tag_count", c_size_t, c_void_p)
_item_tag = _declare("item_tag", c_void_p, c_void_p, c_size_t, POINTER(c_size_t))
_item_attachment_count = _declare("item_attachment_count", c_size_t, c_void_p)
_item_attachment_type = _declare("item_attachment_type", c_char_p, c_void_p, c_size_t, c_size_t)
_item_attachment_path = _declare("item_attachment_path", c_char_p, c_void_p, c_size_t)
_item_attachment_name = _declare("item_attachment_name", c_char_p, c_void_p, c_size_t)
_item_attachment_bytes = _declare(
    "item_attachment_bytes", c_void_p, c_void_p, c_size_t, POINTER(c_size_t))
_item_free = _declare("item_free", None, c_void_p)
_report_free = _declare("report_free", None, c_void_p)
_source_value = _declare("source_value", c_void_p, c_void_p, c_int, POINTER(c_size_t))
_source_carrier = _declare("source_carrier", c_char_p, c_void_p)
_source_free = _declare("source_free", None, c_void_p)
_error_message = _declare("error_message", c_char_p, c_void_p)
_error_number = _declare("error_number", c_int, c_void_p)
_error_reason = _declare("error_reason", c_char_p, c_void_p)
_error_offset = _declare("error_offset", c_int64, c_void_p)
_error_carrier = _declare("error_carrier", c_char_p, c_void_p)
_error_free = _declare("error_free", None, c_void_p)
_icon_find = _declare(
    "icon_find", c_int, c_char_p, c_char_p, c_double, c_double, c_uint, _handle, _handle)
_icon_path = _declare("icon_path", c_char_p, c_void_p)
_icon_origin = _declare("icon_origin", c_int, c_void_p)
_icon_is_fetchable = _declare("icon_is_fetchable", c_int, c_void_p)
_icon_free = _declare("icon_free", None, c_void_p)
_fetch_start = _declare(
    "fetch_start", c_int, c_char_p, c_double, c_double, c_uint, _handle, _handle)
_fetch_descriptor = _declare("fetch_descriptor", c_int, c_void_p)
_fetch_result = _declare("fetch_result", c_int, c_void_p, _handle)
_fetch_picture = _declare("fetch_picture", c_void_p, c_void_p, POINTER(c_size_t))
_fetch_cancel = _declare("fetch_cancel", None, c_void_p)
_fetch_free = _declare("fetch_free", None, c_void_p)


def _text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8")


def _encoded(value: Optional[str], name: str) -> Optional[bytes]:
    if value is None:
        return None
    encoded = value.encode("utf-8")
    if b"\0" in encoded:  # C would stop at the NUL
        raise ValueError(f"{name} contains a NUL character")
    return encoded


def _path(file: Path) -> bytes:
    path = os.fsencode(file)
    if b"\0" in path:
        raise ValueError("embedded null byte")
    return path


def _descriptor(number: int) -> int:
    # ctypes would truncate a larger number to its lowest bits, which mean another file.
    if not -1 << 31 <= number < 1 << 31:
        raise OverflowError(f"{number} is not a descriptor")
    return number


def _lent(start: Optional[int], length: c_size_t) -> Optional[str]:
    """A text by its length, because texts of other programs may contain a NUL."""
    return ctypes.string_at(start, length.value).decode("utf-8") if start else None


def _failure(status: int, error: c_void_p, file: Optional[File] = None) -> Error:
    """The exception for the handle of an error. Frees the handle."""
    try:
        offset = _error_offset(error)
        message = _text(_error_message(error)) or Status(status).name
        return Error(
            message, Status(status), _error_number(error), _text(_error_reason(error)),
            None if offset < 0 else offset, _text(_error_carrier(error)), file)
    finally:
        _error_free(error)


# Characters that render as nothing or as a blank, although their category does not say so.
_ignorable = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]")
# Scripts whose letters are joined: Arabic, Syriac, N'Ko, Mandaic, Mongolian and others.
_cursive = re.compile(
    "[\u0600-\u077f\u07c0-\u07ff\u0840-\u08ff\u1800-\u18af\ua840-\ua87f\ufb50-\ufdff"
    "\ufe70-\ufefc\U00010ac0-\U00010aff\U00010d00-\U00010d3f\U0001e900-\U0001e95f]")
_short_escapes = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped(text: str) -> str:
    """A text from another program, made safe to show, as docsource shows it.

    Control characters, characters that are invisible, blank or change the writing direction, and
    private-use characters become `\\n`, `\\x1b`, `\\u{202e}` or `\\u{00a0}`. Bytes that are not
    UTF-8 become `\\xff`. Joiners inside words and emoji are kept, since those would look different
    without them.
    """
    if text.isascii() and text.isprintable():
        return text
    result = []
    base = last = ""
    for position, character in enumerate(text):
        is_shaping = _is_shaping(character, base, last, text[position + 1:position + 2])
        result.append(character if is_shaping else _escaped(character))
        last = character if result[-1] == character else ""
        if not last or unicodedata.category(last) not in ("Mn", "Mc", "Me"):
            base = last
    return "".join(result)


def _is_shaping(joiner: str, base: str, last: str, following: str) -> bool:
    """Whether a joiner, or the selector of emoji presentation, shapes what is beside it."""
    if joiner == "\ufe0f":
        return _is_symbol(last)
    if joiner not in ("\u200c", "\u200d") or not (base and last and following):
        return False
    if joiner == "\u200d" and _is_symbol(base) and _is_symbol(following):
        return True
    if not (_is_letter(base) and _is_letter(following)):
        return False
    follows_virama = unicodedata.combining(last) == 9
    return follows_virama or bool(_cursive.match(base) and _cursive.match(following))


def _is_letter(character: str) -> bool:
    return unicodedata.category(character) in ("Lo", "Lm", "Lu", "Ll")


def _is_symbol(character: str) -> bool:
    """Whether a character may be an emoji, which Python does not know for certain."""
    return character >= "\u2190" and unicodedata.category(character) in ("So", "Sk", "Sm")


def _escaped(character: str) -> str:
    category = unicodedata.category(character)
    is_shown = category not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")
    if character == " " or is_shown and not _ignorable.match(character):
        return character
    number = ord(character)
    if 0xdc80 <= number <= 0xdcff:  # a byte, as os.fsdecode has it
        return f"\\x{number - 0xdc00:02x}"
    if number < 0x80:
        return _short_escapes.get(character, f"\\x{number:02x}")
    return f"\\u{{{number:04x}}}"


def read(
    file: File, *, follow_symlinks: bool = True, dir_fd: Optional[int] = None,
) -> Optional[Source]:
    """Reads the document source of a file. Returns None if the file has none.

    Raises Error if the system refuses to read the file, or if the value is damaged
    (Status.DAMAGED, with `reason` and `offset`).
    """
    source, error = c_void_p(), c_void_p()
    status = _read(file, 0, follow_symlinks, dir_fd, byref(source), byref(error))
    if status == Status.NO_SOURCE:
        _error_free(error)
        return None
    if status:
        raise _failure(status, error, file)
    try:
        length = c_size_t()
        identifier, name, path, url = (
            _lent(_source_value(source, field, byref(length)), length) for field in range(4))
        return Source(identifier, name, path, url, _source_carrier(source).decode("utf-8"))
    finally:
        _source_free(source)


def write(
    file: File, *, identifier: Optional[str] = None, name: Optional[str] = None,
    path: Optional[str] = None, app_info_url: Optional[str] = None, replace: bool = False,
    any_url: bool = False, keep_other_fields: bool = False, follow_symlinks: bool = True,
    dir_fd: Optional[int] = None,
) -> None:
    """Writes the document source of a file atomically.

    None keeps the value of the file; an empty text removes the value. `replace` discards the old
    values first. If the new identifier differs from the identifier of the file, None removes name,
    path and URL, because they belong to the old application, unless `keep_other_fields` is given.
    `any_url` allows schemes other than https. Nothing else in the file changes.
    """
    options = _REPLACE * replace | _ANY_URL * any_url | _KEEP_OTHER_FIELDS * keep_other_fields
    values = _Values(
        _encoded(identifier, "identifier"), _encoded(name, "name"), _encoded(path, "path"),
        _encoded(app_info_url, "app_info_url"))
    error = c_void_p()
    status = _write(file, options, follow_symlinks, dir_fd, byref(values), byref(error))
    if status:
        raise _failure(status, error, file)


def remove(
    file: File, *, follow_symlinks: bool = True, dir_fd: Optional[int] = None,
) -> bool:
    """Removes the document source of a file in every form. Returns whether the file had one."""
    error = c_void_p()
    status = _remove(file, 0, follow_symlinks, dir_fd, byref(error))
    if status == Status.NO_SOURCE:
        _error_free(error)
        return False
    if status:
        raise _failure(status, error, file)
    return True


def may_have_more(
    file: File, *, follow_symlinks: bool = True, dir_fd: Optional[int] = None,
) -> bool:
    """Whether `trace` may find more than the source that `read` gives; True if nobody can tell.

    For lists of many files: takes a fraction of the time of `trace`.
    """
    return bool(_may_have_more(file, 0, follow_symlinks, dir_fd))


def trace(
    file: File, *, follow_symlinks: bool = True, dir_fd: Optional[int] = None, records: bool = False,
    embedded: bool = False,
) -> Report:
    """Reads all marks of a file, from its attributes and the files where other systems keep marks.

    The report has the same content as `docsource trace --no-recent --no-records --no-embedded`. With
    `records` it also has the download that a browser of this user has recorded, and the package that has
    installed the file, which docsource-records reads; with `embedded` the program and the device that the content names, which
    exiftool reads in a sandbox.
    Raises Error if nothing can be read.
    """
    report, error = c_void_p(), c_void_p()
    status = _report_read(
        file, _RECORDS * records | _EMBEDDED * embedded, follow_symlinks, dir_fd, byref(report),
        byref(error))
    if status:
        raise _failure(status, error, file)
    try:
        length = c_size_t()
        says = {
            subject: _lent(_report_value(report, subject, byref(length)), length)
            for subject in Subject}
        return Report(
            _given(says), tuple(_mark(report, mark) for mark in range(_report_count(report))),
            frozenset(
                subject for subject in Subject if _report_is_contradictory(report, subject)),
            bool(_report_is_complete(report)),
            tuple(_part(report, part) for part in range(_part_count(report))),
            bool(_report_is_doubtful(report)), bool(_report_is_witnessed(report)))
    finally:
        _report_free(report)


def item(
    file: File, *, follow_symlinks: bool = True, dir_fd: Optional[int] = None,
) -> Optional[Item]:
    """Read what a file's attributes say of its content; None if they say nothing.

    That is the share item in user.x-extension-item, and for what it does not say the attributes of
    freedesktop.org. Raises Error if the item is damaged.
    """
    found, error = c_void_p(), c_void_p()
    status = _item_read(file, 0, follow_symlinks, dir_fd, byref(found), byref(error))
    if status == Status.NO_SOURCE:
        _error_free(error)
        return None
    if status:
        raise _failure(status, error, file)
    return _item(found)


def parse_item(content: bytes) -> Item:
    """Read a share item in its exchange format (.xei), a binary property list.

    Raises Error if the bytes are no item.
    """
    found, error = c_void_p(), c_void_p()
    status = _item_parse(content, len(content), byref(found), byref(error))
    if status:
        raise _failure(status, error)
    return _item(found)


def _item(item: c_void_p) -> Item:
    try:
        length = c_size_t()
        values = [_lent(_item_value(item, field, byref(length)), length) for field in range(9)]
        tags = [
            _lent(_item_tag(item, tag, byref(length)), length) or ""
            for tag in range(_item_tag_count(item))]
        attachments = tuple(
            _attachment(item, attachment) for attachment in range(_item_attachment_count(item)))
        return Item(*values, tags=tuple(tags), attachments=attachments)
    finally:
        _item_free(item)


def _attachment(item: c_void_p, attachment: int) -> ItemAttachment:
    types = []
    while (name := _item_attachment_type(item, attachment, len(types))) is not None:
        types.append(_text(name) or "")
    size = c_size_t()
    start = _item_attachment_bytes(item, attachment, byref(size))
    content = None if start is None else ctypes.string_at(start, size.value)
    return ItemAttachment(
        tuple(types), content, _text(_item_attachment_path(item, attachment)),
        _text(_item_attachment_name(item, attachment)))


def _part(report: c_void_p, part: int) -> Part:
    length = c_size_t()
    return Part(
        PartKind(_part_kind(report, part)),
        _lent(_part_origin(report, part, byref(length)), length),
        _lent(_part_program(report, part, byref(length)), length), _text(_part_time(report, part)))


def _mark(report: c_void_p, mark: int) -> Mark:
    length = c_size_t()
    says = {
        subject: _lent(_mark_value(report, mark, subject, byref(length)), length)
        for subject in Subject}
    offset = _mark_offset(report, mark)
    start = _mark_bytes(report, mark, byref(length))
    return Mark(
        _mark_name(report, mark).decode("utf-8"), _mark_form(report, mark).decode("utf-8"),
        _mark_carrier(report, mark), Trust(_mark_trust(report, mark)), _given(says),
        _text(_mark_failure(report, mark)), None if offset < 0 else offset,
        ctypes.string_at(start, length.value) if start else b"")


def _given(says: Dict[Subject, Optional[str]]) -> Dict[Subject, str]:
    return {subject: text for subject, text in says.items() if text is not None}


def find_icon(
    identifier: Optional[str], app_info_url: Optional[str], points: float, scale: float = 1, *,
    outline: bool = True, stroke: bool = True,
) -> Icon:
    """Finds the icon of an application without the network.

    The size is in points, the scale in pixels per point. `outline` clips the icon to the outline of
    an iOS icon; `stroke` draws a hairline along the outline.
    """
    options = _NO_OUTLINE * (not outline) | _NO_STROKE * (not stroke)
    icon, error = c_void_p(), c_void_p()
    # A text with a NUL names no icon; C would stop at the NUL and find another icon.
    identifier, app_info_url = (
        None if text is None or "\0" in text else text for text in (identifier, app_info_url))
    status = _icon_find(
        _encoded(identifier, "identifier"), _encoded(app_info_url, "app_info_url"), points, scale,
        options, byref(icon), byref(error))
    if status not in (Status.OK, Status.NO_ICON):
        raise _failure(status, error)
    _error_free(error)
    try:
        return Icon(
            _icon_path(icon), Origin(_icon_origin(icon)), bool(_icon_is_fetchable(icon)))
    finally:
        _icon_free(icon)


class Fetch:
    """A running fetch: docsource-fetch downloads an icon into the cache of the user.

    The constructor starts the program and does not wait. docsource-fetch asks only hosts that the
    user trusts. `fileno()` becomes readable for select or a main loop when docsource-fetch has
    ended; `result()` then returns the result.
    """

    _fetch = c_void_p()  # until one is started

    def __init__(
        self, app_info_url: str, points: float, scale: float = 1, *, outline: bool = True,
        stroke: bool = True, offline: bool = False, refresh: bool = False,
    ) -> None:
        fetch = c_void_p()
        options = (
            _NO_OUTLINE * (not outline) | _NO_STROKE * (not stroke) | _OFFLINE * offline
            | _REFRESH * refresh)
        error = c_void_p()
        status = _fetch_start(
            _encoded(app_info_url, "app_info_url"), points, scale, options, byref(fetch),
            byref(error))
        if status:
            raise _failure(status, error)
        self._fetch = fetch

    def fileno(self) -> int:
        """A descriptor for poll, which belongs to this object. -1 after `close()`."""
        descriptor: int = _fetch_descriptor(self._fetch)
        return descriptor

    def result(self) -> Status:
        """The result, without waiting: RUNNING, then OK, NO_ICON or CANCELLED.

        After OK, `find_icon` or `picture` returns the icon. Raises Error if the fetch failed.
        """
        error = c_void_p()
        status = _fetch_result(self._fetch, byref(error))
        if status not in (Status.OK, Status.NO_ICON, Status.RUNNING, Status.CANCELLED):
            raise _failure(status, error)
        _error_free(error)
        return Status(status)

    @property
    def picture(self) -> Optional[bytes]:
        """The finished PNG if the server forbids caching."""
        size = c_size_t()
        start = _fetch_picture(self._fetch, byref(size))
        return ctypes.string_at(start, size.value) if start else None

    def cancel(self) -> None:
        """Ends docsource-fetch. `fileno()` becomes readable when docsource-fetch has ended."""
        _fetch_cancel(self._fetch)

    def close(self) -> None:
        """Ends docsource-fetch if it is still running, and waits for its end."""
        fetch, self._fetch = self._fetch, c_void_p()
        _fetch_free(fetch)

    def __del__(self) -> None:
        self.close()
