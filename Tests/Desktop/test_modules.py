"""Modules of the file managers' extension that need no file manager.

DESKTOP_INSTALLED names where docsource is installed.
"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from typing import Optional
from unittest import mock

sys.path.insert(
    0, f"{os.environ['DESKTOP_INSTALLED']}/usr/share/docsource/file-managers")

import gi  # noqa: E402

gi.require_version("Gio", "2.0")
from docsource_desktop.backlog import Backlog  # noqa: E402
from docsource_desktop.mounts import Mounts  # noqa: E402
from docsource_desktop.report import guarded  # noqa: E402
from gi.repository import GLib  # noqa: E402

TABLE = b"""\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /home/me/a\\040b rw master:2 shared:5 - fuse.sshfs me@host: rw
31 30 0:41 / /home/me/a\\040b/local rw - tmpfs tmpfs rw
32 22 0:42 / /srv rw - nfs4 host:/srv rw
33 22 0:43 / /run/user/0/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw
34 22 0:44 / /usb rw - fuseblk /dev/sdb1 rw
"""


class ModuleTests(unittest.TestCase):
    @staticmethod
    def mounts(table: bytes) -> Mounts:
        with tempfile.NamedTemporaryFile() as file:
            file.write(table)
            file.flush()
            with mock.patch.object(Mounts, "_TABLE", file.name):
                return Mounts()

    def test_file_systems_that_may_keep_one_waiting_are_known(self) -> None:
        mounts = self.mounts(TABLE)
        for path, is_slow in {
            b"/home/me/a b/file": True, b"/home/me/a b": True, b"/home/me/a b/local/file": False,
            b"/home/me/a bc/file": False, b"/srv/a/b/c": True, b"/srvx/a": False,
            b"/file": False, b"/": False, b"/usb/file": False,
        }.items():
            with self.subTest(path):
                self.assertEqual(mounts.is_slow(path), is_slow)
        self.assertTrue(mounts.is_foreign(b"/run/user/0/gvfs/sftp:host=x/file"))
        self.assertFalse(mounts.is_foreign(b"/run/user/0/file"))

    def test_links_to_slow_file_systems_are_slow_and_not_asked_for(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            place = os.path.realpath(place)
            mounts = self.mounts(
                TABLE + f"40 22 0:50 / {place}/nas rw - nfs host:/ rw\n".encode()
                + f"41 22 0:51 / {place}/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw\n".encode())
            for name in "nas", "nas/deep", "local", "gvfs":
                os.mkdir(f"{place}/{name}")
            for link, target in {
                "to-nas": f"{place}/nas", "relative": "local/../nas/deep", "local/file": "../nas/x",
                "twice": "relative", "fine": "local", "dangling": "nowhere", "circle": "circle",
                "to-gvfs": "gvfs", "nas/out": f"{place}/local",
            }.items():
                os.symlink(target, f"{place}/{link}")
            asked = []

            find = Mounts._target

            def target(path: bytes) -> Optional[bytes]:
                asked.append(path)
                return find(path)

            with mock.patch.object(Mounts, "_target", side_effect=target):
                for path, is_slow in {
                    "nas/file": True, "to-nas/file": True, "to-nas": True, "relative/a/b": True,
                    "twice/file": True, "local/file": True, "local/other": False,
                    "fine/other": False, "fine/file": True, "dangling": False, "circle": False,
                    "circle/file": False, "nas/out/file": True, "missing/file": False,
                }.items():
                    with self.subTest(path):
                        self.assertEqual(mounts.is_slow(f"{place}/{path}".encode()), is_slow)
                self.assertTrue(mounts.is_foreign(f"{place}/to-gvfs/file".encode()))
                self.assertFalse(mounts.is_foreign(f"{place}/to-nas/file".encode()))
            slow = f"{place}/nas".encode(), f"{place}/gvfs".encode()
            self.assertEqual([path for path in asked if path.startswith(slow)], [])

    def test_exceptions_do_not_leave_and_each_kind_is_told_once(self) -> None:
        @guarded(list)
        def entries(error: Exception) -> list:
            raise error

        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            for error in ValueError("one"), ValueError("two"), KeyError("three"):
                self.assertEqual(entries(error), [])
        self.assertEqual(
            told.getvalue(),
            "docsource: entries: ValueError: one\ndocsource: entries: KeyError: 'three'\n")

    def test_texts_are_in_the_users_language(self) -> None:
        program = "from docsource_desktop.places import ngettext, text; " \
            "print(text('Source App'), ngettext('{} file', '{} files', 2).format(2), sep='|')"
        for language, texts in {
            "de": "Quell-App|2 Dateien", "de_AT.UTF-8": "Quell-App|2 Dateien",
            "zh_CN": "来源应用|2 个文件", "fr": "Source App|2 files",
        }.items():
            with self.subTest(language):
                said = subprocess.run(
                    [sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, check=True,
                    env={**os.environ, "LANGUAGE": language, "PYTHONPATH": sys.path[0],
                         "PYTHONIOENCODING": "utf-8"})
                self.assertEqual(said.stdout.decode(), texts + "\n")

    def test_most_of_many_files_wait_until_the_rush_is_over(self) -> None:
        done = []

        def work(file: int) -> None:
            done.append(file)
            GLib.usleep(1000)

        backlog = Backlog(work)
        files = list(range(100))
        context = GLib.MainContext.default()
        for file in files:
            backlog.add(file)
            context.iteration(False)
        backlog.add(files[-1])
        self.assertIn(len(done), range(1, 25))
        while len(done) < len(files):
            context.iteration(True)
        while context.iteration(False):
            pass
        self.assertEqual(done, files, "each once, in this order")
        backlog.add("later")
        self.assertEqual(done[-1], "later", "a new rush has begun")

    def test_rush_without_end_keeps_no_file_waiting_for_ever(self) -> None:
        done = []

        def work(file: int) -> None:
            done.append(file)
            GLib.usleep(30000)

        backlog = Backlog(work)
        backlog._LONGEST = 0.3
        context = GLib.MainContext.default()
        number = 0
        while 5 not in done:
            number += 1
            backlog.add(number % 7)
            GLib.usleep(10000)
            while context.iteration(False):
                pass
            self.assertLess(number, 3000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
