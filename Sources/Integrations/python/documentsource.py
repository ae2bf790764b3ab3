"""Which application a file came from, by the attribute x-document-source.

>>> import documentsource
>>> documentsource.write("letter.txt", identifier="org.example.editor", name="Editor")
>>> documentsource.read("letter.txt").name
'Editor'
>>> documentsource.remove("letter.txt")
True

The module calls libdocumentsource.so.1 through ctypes, without the interpreter's lock. Any thread
may call any function. A file is a path (str, bytes or os.PathLike) or an open descriptor; with
`dir_fd` a path is relative to that directory, as in the functions of `os`.

Nothing but `Fetch` ever causes network traffic. A mark is a claim of whoever wrote it, no proof of
origin, and its texts may hold anything: escape them before they are shown.
"""

import ctypes
import enum
import os
import re
import unicodedata
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from typing import NamedTuple, Optional, Union

__all__ = [
    "Error", "Fetch", "Icon", "Origin", "Source", "Status", "escaped", "find_icon", "read", "remove",
    "write",
]

File = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]", int]


class Status(enum.IntEnum):
    """How a call of the library ended; see documentsource.h."""

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
    """What a file says about where it came from; at least one of the first four is a text."""

    identifier: Optional[str]
    """The application's reverse-DNS identifier."""
    name: Optional[str]
    """The application's name for people."""
    path: Optional[str]
    """The document's path inside the application."""
    app_info_url: Optional[str]
    """The URL of JSON that lists the application's icons."""
    carrier: str
    """The name of the extended attribute that was read."""


class Icon(NamedTuple):
    """What there is of an application's icon without the network."""

    path: Optional[bytes]
    """The path of a PNG or SVG, in no particular encoding; None where there is none."""
    origin: Origin
    is_fetchable: bool
    """Whether a `Fetch` with the same arguments may bring an icon, or a better one."""


class Error(Exception):
    """A call that failed: `status`, and what was tried and why it failed as `str`."""

    def __init__(
        self, message: str, status: Status, number: int = 0, reason: Optional[str] = None,
        offset: Optional[int] = None, carrier: Optional[str] = None, file: Optional[File] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.errno = number
        """The error number of the system, or 0."""
        self.reason = reason
        """What is wrong with a damaged value."""
        self.offset = offset
        """The offset in bytes of what is wrong with it."""
        self.carrier = carrier
        """The name of the attribute whose value is damaged."""
        self.file = file

    def __str__(self) -> str:
        message = super().__str__()
        if self.file is None or isinstance(self.file, int):
            return message
        return f"{os.fsdecode(self.file)}: {message}"


_NO_FOLLOW, _REPLACE, _ANY_URL, _NO_OUTLINE, _NO_STROKE, _OFFLINE, _REFRESH = (
    1 << bit for bit in range(7))


class _Values(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("identifier", "name", "path", "app_info_url")]


_library = ctypes.CDLL("libdocumentsource.so.1")


def _declare(name: str, result: object, *arguments: object) -> "ctypes._FuncPointer":
    function = getattr(_library, f"docsource_{name}")
    function.restype, function.argtypes = result, arguments
    return function


_handle = POINTER(c_void_p)
_read = _declare("read", c_int, c_char_p, c_uint, _handle, _handle)
_read_fd = _declare("read_fd", c_int, c_int, c_uint, _handle, _handle)
_read_at = _declare("read_at", c_int, c_int, c_char_p, c_uint, _handle, _handle)
_write = _declare("write", c_int, c_char_p, c_uint, POINTER(_Values), _handle)
_write_fd = _declare("write_fd", c_int, c_int, c_uint, POINTER(_Values), _handle)
_write_at = _declare("write_at", c_int, c_int, c_char_p, c_uint, POINTER(_Values), _handle)
_remove = _declare("remove", c_int, c_char_p, c_uint, _handle)
_remove_fd = _declare("remove_fd", c_int, c_int, c_uint, _handle)
_remove_at = _declare("remove_at", c_int, c_int, c_char_p, c_uint, _handle)
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
    if b"\0" in encoded:  # C would see the text in front of it alone
        raise ValueError(f"{name} holds a NUL character")
    return encoded


def _path(file: File) -> bytes:
    path = os.fsencode(file)
    if b"\0" in path:
        raise ValueError("embedded null byte")
    return path


def _failure(status: int, error: c_void_p, file: Optional[File] = None) -> Error:
    """The exception for an error's handle, which is freed."""
    try:
        offset = _error_offset(error)
        message = _text(_error_message(error)) or Status(status).name
        return Error(
            message, Status(status), _error_number(error), _text(_error_reason(error)),
            None if offset < 0 else offset, _text(_error_carrier(error)), file)
    finally:
        _error_free(error)


# What renders as nothing without being a control or format character.
_ignorable = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]")
_short_escapes = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped(text: str) -> str:
    """A stranger's text, made safe to show, as docsource shows it.

    Control characters, and those that are invisible or turn the direction of writing, become
    `\\n`, `\\x1b` or `\\u{202e}`; bytes that were no UTF-8 become `\\xff`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    category = unicodedata.category(character)
    if category not in ("Cc", "Cf", "Cs", "Zl", "Zp") and not _ignorable.match(character):
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
    """Reads the document source of a file, or None where it has none.

    Raises Error: what the system refuses, or Status.DAMAGED with `reason` and `offset`.
    """
    options = 0 if follow_symlinks else _NO_FOLLOW
    source, error = c_void_p(), c_void_p()
    if isinstance(file, int):
        status = _read_fd(file, 0, byref(source), byref(error))
    elif dir_fd is None:
        status = _read(_path(file), options, byref(source), byref(error))
    else:
        status = _read_at(dir_fd, _path(file), options, byref(source), byref(error))
    if status == Status.NO_SOURCE:
        _error_free(error)
        return None
    if status:
        raise _failure(status, error, file)
    try:
        length = c_size_t()
        values = []
        for field in range(4):
            start = _source_value(source, field, byref(length))
            # By its length: a stranger's value may hold a NUL.
            values.append(start and ctypes.string_at(start, length.value).decode("utf-8"))
        return Source(*values, _source_carrier(source).decode("utf-8"))
    finally:
        _source_free(source)


def write(
    file: File, *, identifier: Optional[str] = None, name: Optional[str] = None,
    path: Optional[str] = None, app_info_url: Optional[str] = None, replace: bool = False,
    any_url: bool = False, follow_symlinks: bool = True, dir_fd: Optional[int] = None,
) -> None:
    """Writes a file's document source in one step.

    None leaves what the file has, an empty text removes it; with `replace` what the file has is
    thrown away first. `any_url` accepts other schemes than https. Nothing else of the file changes.
    """
    options = _REPLACE * replace | _ANY_URL * any_url
    values = _Values(
        _encoded(identifier, "identifier"), _encoded(name, "name"), _encoded(path, "path"),
        _encoded(app_info_url, "app_info_url"))
    error = c_void_p()
    if isinstance(file, int):
        status = _write_fd(file, options, byref(values), byref(error))
    else:
        options |= 0 if follow_symlinks else _NO_FOLLOW
        if dir_fd is None:
            status = _write(_path(file), options, byref(values), byref(error))
        else:
            status = _write_at(dir_fd, _path(file), options, byref(values), byref(error))
    if status:
        raise _failure(status, error, file)


def remove(
    file: File, *, follow_symlinks: bool = True, dir_fd: Optional[int] = None,
) -> bool:
    """Removes a file's document source in every form, and says whether it had one."""
    options = 0 if follow_symlinks else _NO_FOLLOW
    error = c_void_p()
    if isinstance(file, int):
        status = _remove_fd(file, 0, byref(error))
    elif dir_fd is None:
        status = _remove(_path(file), options, byref(error))
    else:
        status = _remove_at(dir_fd, _path(file), options, byref(error))
    if status == Status.NO_SOURCE:
        _error_free(error)
        return False
    if status:
        raise _failure(status, error, file)
    return True


def find_icon(
    identifier: Optional[str], app_info_url: Optional[str], points: float, scale: float = 1, *,
    outline: bool = True, stroke: bool = True,
) -> Icon:
    """Finds an application's icon without the network, for a size in points at pixels a point.

    `outline` cuts it to that of an iOS icon, `stroke` draws a hairline along it.
    """
    options = _NO_OUTLINE * (not outline) | _NO_STROKE * (not stroke)
    icon, error = c_void_p(), c_void_p()
    # A stranger's text with a NUL names no icon; in front of the NUL it would name another's.
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
    """An icon on its way into the user's cache, by a program that this starts without waiting.

    Only hosts that the user trusts are asked. `fileno()` can be read by select or a main loop once
    the program has ended; then `result()` says how.
    """

    def __init__(
        self, app_info_url: str, points: float, scale: float = 1, *, outline: bool = True,
        stroke: bool = True, offline: bool = False, refresh: bool = False,
    ) -> None:
        self._fetch = c_void_p()
        options = (
            _NO_OUTLINE * (not outline) | _NO_STROKE * (not stroke) | _OFFLINE * offline
            | _REFRESH * refresh)
        error = c_void_p()
        status = _fetch_start(
            _encoded(app_info_url, "app_info_url"), points, scale, options, byref(self._fetch),
            byref(error))
        if status:
            raise _failure(status, error)

    def fileno(self) -> int:
        """A descriptor for poll; it belongs to this object. -1 once that is closed."""
        return _fetch_descriptor(self._fetch)

    def result(self) -> Status:
        """How it ended, without waiting: OK, NO_ICON or CANCELLED, or RUNNING until it has.

        After OK `find_icon` has the icon, or `picture`. Raises Error where it failed.
        """
        error = c_void_p()
        status = _fetch_result(self._fetch, byref(error))
        if status not in (Status.OK, Status.NO_ICON, Status.RUNNING, Status.CANCELLED):
            raise _failure(status, error)
        _error_free(error)
        return Status(status)

    @property
    def picture(self) -> Optional[bytes]:
        """The finished PNG, where the server forbids keeping it."""
        size = c_size_t()
        start = _fetch_picture(self._fetch, byref(size))
        return ctypes.string_at(start, size.value) if start else None

    def cancel(self) -> None:
        """Ends the program; `fileno()` tells when it has."""
        _fetch_cancel(self._fetch)

    def close(self) -> None:
        """Ends the program where it has not ended, and waits for that."""
        fetch, self._fetch = self._fetch, c_void_p()
        _fetch_free(fetch)

    def __del__(self) -> None:
        self.close()
