"""Which file systems may keep one waiting."""

import functools
import os
import re
from typing import List, Tuple

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
        self._kinds: List[Tuple[bytes, bytes]] = []
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
        kinds = {}
        for line in self._table:
            fields, _, rest = line.partition(b" - ")
            point = re.sub(
                rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), fields.split(b" ")[4])
            kinds[point.rstrip(b"/")] = rest.split(b" ", 1)[0]
        self._kinds = sorted(kinds.items(), key=lambda item: -len(item[0]))
        self._of_directory.cache_clear()

    @guarded(lambda: True)
    def _changed(self, *_: object) -> bool:
        self._load()
        return True

    def _find(self, directory: bytes) -> bytes:
        for point, kind in self._kinds:
            if directory == point or directory.startswith(point + b"/"):
                return kind
        return b""

    def _kind(self, path: bytes) -> bytes:
        # A mount point itself counts as what it is mounted on, which can be asked.
        return self._of_directory(os.path.dirname(path))

    def is_foreign(self, path: bytes) -> bool:
        return self._kind(path) == b"fuse.gvfsd-fuse"

    def is_slow(self, path: bytes) -> bool:
        kind = self._kind(path)
        return kind in self._REMOTE or kind == b"fuse" or kind.startswith(b"fuse.")


mounts = Mounts()
