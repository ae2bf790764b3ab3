"""Which file systems may keep one waiting."""

import functools
import re
from typing import Dict

from gi.repository import GLib

from docsource_desktop.report import guarded


class Mounts:
    """Which paths lead to file systems that other processes or machines have to answer for."""

    _REMOTE = {
        b"9p", b"afs", b"ceph", b"cifs", b"coda", b"gfs2", b"glusterfs", b"lustre", b"ncpfs",
        b"nfs", b"nfs4", b"ocfs2", b"pvfs2", b"smb3", b"smbfs", b"virtiofs",
    }
    _TABLE = "/proc/self/mountinfo"

    def __init__(self) -> None:
        self._points: Dict[bytes, bytes] = {}
        self._of_directory = functools.lru_cache(maxsize=4096)(self._find)
        try:
            self._table = open(self._TABLE, "rb")
        except OSError:  # a sandbox without /proc
            return
        # proc(5): a change of the mounts is an exceptional condition.
        GLib.io_add_watch(
            self._table.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.PRI, self._changed)
        self._load()

    def _load(self) -> None:
        self._table.seek(0)
        points = {}
        for line in self._table:
            fields, _, rest = line.partition(b" - ")
            point = re.sub(
                rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), fields.split(b" ")[4])
            points[point.rstrip(b"/")] = rest.split(b" ", 1)[0]
        self._points = points
        self._of_directory.cache_clear()

    @guarded(lambda: True)
    def _changed(self, *_: object) -> bool:
        self._load()
        return True

    def _find(self, directory: bytes) -> bytes:
        for point, kind in sorted(self._points.items(), key=lambda item: -len(item[0])):
            if directory == point or directory.startswith(point + b"/"):
                return kind
        return b""

    def _kind(self, path: bytes) -> bytes:
        if path in self._points:
            return self._points[path]
        return self._of_directory(path[:path.rindex(b"/")])

    def is_foreign(self, path: bytes) -> bool:
        return self._kind(path) == b"fuse.gvfsd-fuse"

    def is_slow(self, path: bytes) -> bool:
        kind = self._kind(path)
        return kind in self._REMOTE or kind == b"fuse" or kind.startswith(b"fuse.")


mounts = Mounts()
