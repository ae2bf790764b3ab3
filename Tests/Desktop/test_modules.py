"""Modules of the file managers' extension that need no file manager.

DESKTOP_INSTALLED names where docsource is installed.
"""

import contextlib
import io
import json
import os
import plistlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Optional
from unittest import mock

PREFIX = f"{os.environ['DESKTOP_INSTALLED']}/usr"
sys.path[:0] = [f"{PREFIX}/share/docsource/file-managers", f"{PREFIX}/lib/python3/dist-packages"]

import documents  # noqa: E402
import gi  # noqa: E402

gi.require_version("Gio", "2.0")
import documentsource  # noqa: E402
from docsource_desktop import (  # noqa: E402
    answer, application_list, failures, places, settings, share_list, source_groups,
    thumbnail, undo, words)
from docsource_desktop.answer import Answer, Refusal  # noqa: E402
from docsource_desktop.application_list import Application  # noqa: E402
from docsource_desktop.backlog import Backlog  # noqa: E402
from docsource_desktop.failures import Failure, Message  # noqa: E402
from docsource_desktop.mounts import Mounts  # noqa: E402
from docsource_desktop.report import guarded  # noqa: E402
from docsource_desktop.selection import website  # noqa: E402
from documentsource import Part, PartKind, Source, Status, Subject  # noqa: E402
from gi.repository import GLib  # noqa: E402

PICTURE = f"{os.path.dirname(os.path.realpath(__file__))}/../../Fixtures/Pictures/scaling.png"
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

        written = io.StringIO()
        with contextlib.redirect_stderr(written):
            for error in ValueError("one"), ValueError("two"), KeyError("three"):
                self.assertEqual(entries(error), [])
        self.assertEqual(
            written.getvalue(),
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
                    env={**os.environ, "LANGUAGE": language, "PYTHONPATH": os.pathsep.join(sys.path[:2]),
                         "PYTHONIOENCODING": "utf-8"})
                self.assertEqual(said.stdout.decode(), texts + "\n")

    # What files say

    def test_each_kind_of_mark_has_its_answer(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            def file(name: str) -> bytes:
                path = f"{place}/{name}"
                with open(path, "w", encoding="utf-8"):
                    pass
                return path.encode()

            tagged, download, beside = file("tagged"), file("download"), file("beside")
            damaged, plain = file("damaged"), file("plain")
            for path in tagged, beside:
                documentsource.write(path, identifier="org.example.a", name="A", path="p")
            os.setxattr(download, "user.xdg.origin.url", b"https://example.org/x")
            os.setxattr(damaged, "user.x-document-source", b"bplist00nonsense")
            docsource = f"{PREFIX}/bin/docsource"
            subprocess.run([docsource, "emit", "-q", "--apple-double", beside], check=True)
            documentsource.remove(beside)
            part = Part(PartKind.DOWNLOAD, "example.org", None, None)
            application = Part(PartKind.APPLICATION, "A", None, None)
            says = {Subject.IDENTIFIER: "org.example.a", Subject.NAME: "A", Subject.PATH: "p"}
            source = documentsource.read(tagged)
            for path, expected in {
                tagged: Answer(source), plain: Answer(),
                download: Answer(parts=(part,), says={Subject.URL: "https://example.org/x"}),
                damaged: Answer(damage=16), beside: Answer(parts=(application,), says=says),
                f"{place}/missing".encode(): Answer(),
            }.items():
                with self.subTest(path):
                    found = answer.read(path)
                    self.assertEqual(found, expected)
                    self.assertEqual(bool(found), path not in (plain, f"{place}/missing".encode()))
                    self.assertEqual(answer.from_plain(json.loads(json.dumps(
                        answer.plain(found)))), found, "as the reader of slow files hands it on")
            self.assertEqual(
                answer.read(tagged, is_whole=True), Answer(source, parts=(application,), says=says))
            self.assertEqual(
                answer.read(beside).application, Source("org.example.a", "A", "p", None, ""))

    def test_answers_are_put_in_words(self) -> None:
        day = "2020-11-12T12:27:26Z"
        safari = Part(PartKind.DOWNLOAD, "example.org", "Safari", day)
        for parts, doubt, sentence, column in (
            ((safari,), False, "Downloaded from example.org by “Safari” on November 12, 2020",
             "from example.org"),
            ((Part(PartKind.CREATOR, "Gimp", None, None),), True,
             "Made by “Gimp”; marks contradict each other", "made by “Gimp” (contradictory)"),
            ((Part(PartKind.MESSAGE, "a@b.c", None, None),), False, "Sent by “a@b.c”",
             "from a@b.c"),
            ((Part(PartKind.DOWNLOAD, None, "wget", None), Part(PartKind.PAGE, "x y", None, None)),
             False, "Downloaded by “wget”, linked from “x y”", "downloaded by “wget”"),
            ((Part(PartKind.WRITING, None, None, day),), False, "Written on November 12, 2020",
             "written"),
            ((Part(PartKind.ZONE, "Internet", None, None),), False, "From zone Internet",
             "from zone Internet"),
            ((Part(PartKind.PACKAGE, "g++ 4:12.2", None, None),), False,
             "From the package g++ 4:12.2", "from the package g++ 4:12.2"),
            ((Part(PartKind.PACKAGE, "a, b", None, None),), False,
             "From the package “a, b”", "from the package “a, b”"),
            ((), False, "", ""),
        ):
            with self.subTest(sentence):
                said = Answer(parts=parts, is_doubtful=doubt)
                self.assertEqual((words.sentence(said), words.column(said)), (sentence, column))

    def test_marks_that_contradict_each_other_are_found_beside_a_source(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            def file(name: str, **marks: bytes) -> bytes:
                path = f"{place}/{name}"
                with open(path, "w", encoding="utf-8"):
                    pass
                documentsource.write(path, identifier="org.example.a", name="A")
                for mark, value in marks.items():
                    os.setxattr(path, "user." + mark.replace("__", "."), value)
                return path.encode()

            zone = b"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://two.example/b\r\n"
            doubtful = file(
                "doubtful", xdg__origin__url=b"https://one.example/a", Zone__Identifier=zone)
            agreeing = file("agreeing", xdg__origin__url=b"https://one.example/a")
            beside = file("beside")
            subprocess.run(
                [f"{PREFIX}/bin/docsource", "emit", "-q", "--apple-double", beside], check=True)
            documentsource.write(beside, identifier="org.example.b", name="B")
            found = answer.read(doubtful)
            self.assertTrue(found.is_doubtful)
            self.assertEqual(found.disputes, {Subject.URL: (
                ("https://one.example/a", "xdg.origin.url"),
                ("https://two.example/b", "Zone.Identifier"))})
            self.assertEqual(words.column(found), "A (contradictory)")
            self.assertEqual(
                answer.from_plain(json.loads(json.dumps(answer.plain(found)))), found)
            self.assertEqual(answer.read(agreeing), Answer(documentsource.read(agreeing)))
            # What this machine has seen.
            self.assertFalse(answer.read(agreeing, is_whole=True).is_witnessed)
            for application, is_witnessed in {"ORG.EXAMPLE.A": True, "org.example.b": False}.items():
                documents.record_as_the_witness_does(agreeing.decode(), application)
                time.sleep(0.06)
                self.assertIs(answer.read(agreeing).is_doubtful, not is_witnessed)
                found = answer.read(agreeing, is_whole=True)
                self.assertIs(found.is_witnessed, is_witnessed)
                self.assertEqual(
                    answer.from_plain(json.loads(json.dumps(answer.plain(found)))), found)
            self.assertEqual(set(answer.read(beside).disputes), {Subject.IDENTIFIER, Subject.NAME})
            # Where hardly anybody keeps marks.
            seven = file("7")
            for colon, host in (":", "one"), ("\uf03a", "two"):
                self.assertEqual(answer.read(seven), Answer(documentsource.read(seven)))
                with open(f"{place}/7{colon}Zone.Identifier", "wb") as stream:
                    stream.write(zone.replace(b"two", host.encode()))
            found = answer.read(seven)
            self.assertEqual(set(found.disputes), {Subject.URL})
            self.assertEqual(words.column(found), "A (contradictory)")
            self.assertTrue(found.is_doubtful, "which the emblem shows")
            os.makedirs(f"{place}/a/b")
            deep = file("a/b/deep")
            os.makedirs(f"{place}/__MACOSX/a/b")
            self.assertFalse(answer.read(deep).is_doubtful)
            shutil.copy(f"{place}/._beside", f"{place}/__MACOSX/a/b/._deep")
            self.assertFalse(answer.read(deep).is_doubtful)
            documentsource.write(deep, identifier="org.example.b", name="B")
            self.assertTrue(answer.read(deep).is_doubtful)

    def test_addresses_of_the_web_and_of_people_are_links(self) -> None:
        for text, link in {
            "https://example.org/a?b=c": True, "http://example.org": True,
            "ftp://example.org/a": True, "file:///etc/passwd": False, "javascript:alert(1)": False,
            "https://": False, "https://example.org/a b": False, "https://[x": False,
            "https://example.org/\u202e": False, "data:text/html,x": False, "": False,
            "https://example.org/" + "x" * 5000: False, "Some Name": False, "a@b": False,
        }.items():
            with self.subTest(text[:60]):
                self.assertEqual(words.link(text), text if link else None)
        self.assertEqual(words.link("ann@example.org"), "mailto:ann@example.org")
        self.assertIsNone(words.link("ann@example.org?cc=x@y.org"))

    def test_dates_have_one_form(self) -> None:
        with mock.patch.dict(os.environ, {"TZ": "UTC"}):
            self.assertEqual(words.day("2020-11-02T12:27:26Z"), "November 2, 2020")
            self.assertRegex(
                words.moment("2020-11-12T12:27:26Z"), "^November 1[123], 2020, [0-9]{2}:27$")

    def test_column_is_short_and_tells_our_words_from_names(self) -> None:
        for name, text in {
            "Working Copy": "Working Copy", "x" * 350: "x" * 29 + "…", "x" * 30: "x" * 30,
            "来源" * 20: "来源" * 7 + "…", "e\u0301" * 40: "e\u0301" * 29 + "…",
            "a" * 25 + "\u202e" * 9: "a" * 25 + "…",
            "Damaged": "Damaged", "(damaged)": "“(damaged)”", "from me": "“from me”", "": None,
            "Pages (contradictory)": "“Pages (contradictory)”",
        }.items():
            with self.subTest(name):
                source = Source(None, name, None, None, "")
                self.assertEqual(
                    words.column(Answer(source)), text or "(unnamed application)")
        self.assertEqual(words.column(Answer(damage=3)), "(damaged)")
        self.assertEqual(words.column(Answer(refusal=Refusal(4, 13))), "(cannot be read)")

    def test_long_paths_keep_the_name_of_the_file(self) -> None:
        for path, text in {
            "a/b.txt": "a/b.txt", "dir/" * 20 + "b.txt": "dir/" * 13 + "d…/b.txt",
            "d/" + "n" * 70 + ".txt": "…/" + "n" * 40 + "…" + "n" * 11 + ".txt",
            "n" * 70 + ".txt": "n" * 40 + "…" + "n" * 11 + ".txt",
        }.items():
            with self.subTest(path):
                self.assertEqual(words.shortened_path(path), text)

    def test_reasons_give_no_advice_for_shells(self) -> None:
        for refusal, text in {
            Refusal(Status.NOT_PERMITTED, 30): "The file system is read-only",
            Refusal(Status.NOT_PERMITTED, 13): "Access is denied",
            Refusal(Status.DAMAGED, 0): "The present source is damaged; remove it first",
            Refusal(Status.SYSTEM_ERROR, 5): os.strerror(5),
        }.items():
            with self.subTest(refusal):
                self.assertEqual(words.reason(refusal), text)

    def test_messages_name_the_file_or_how_many_there_are(self) -> None:
        def failed(reason: str, *names: str) -> "list[Failure]":
            return [Failure(reason, "r", f"/d/{name}".encode()) for name in names]

        three = [b"/d/a", b"/d/b", b"/d/c\x1b"]
        for verb, found, files, said in (
            ("tag", failed("R", "a"), three, Message("“a” could not be tagged", ["R"])),
            ("remove", failed("R", "c\x1b"), three,
             Message("The source of “c\\x1b” could not be removed", ["R"])),
            ("tag", failed("R", "a", "b"), three, Message("2 files could not be tagged", ["R"])),
            ("tag", failed("R", "a", "b") + failed("S", "c\x1b"), three,
             Message("3 files could not be tagged", ["2 files: R", "“c\\x1b”: S"])),
            ("share", [Failure("R", "r")], three[:1], Message("“a” could not be shared", ["R"])),
            ("share", [Failure("R", "r")], three, Message("3 files could not be shared", ["R"])),
            ("open", failed("R", "b"), three,
             Message("“b” could not be opened in the application it came from", ["R"])),
            ("share", [Failure("", "some words")], three[:1], Message(
                "“a” could not be shared",
                ["The reason is in the log of your session, in English"])),
            ("watch", [Failure("R", "r")], [], Message("The setting could not be changed", ["R"])),
            ("tag", [one for number in range(20) for one in failed(f"R{number}", f"{number}")],
             [f"/d/{number}".encode() for number in range(20)],
             Message("20 files could not be tagged", [f"“{n}”: R{n}" for n in range(10)])),
        ):
            with self.subTest(said=said):
                self.assertEqual(failures.message(verb, found, files), said)
        self.assertEqual(failures.message_of_missing([b"/d/a/"]).title, "“a” does not exist")
        self.assertEqual(failures.message_of_missing(three).title, "3 files do not exist")
        self.assertEqual(
            failures.log_lines([Failure("R", "r", b"/d/\x1b"), Failure("", "s")]),
            ["/d/\\x1b: r", "s"])

    def test_missing_files_are_those_that_are_not_there(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            os.symlink("nowhere", f"{place}/dangling")
            with open(f"{place}/file", "w", encoding="utf-8"):
                pass
            files = [f"{place}/{name}".encode() for name in (
                "file", "dangling", "none", "file/below", "none/below")]
            self.assertEqual(failures.missing(files), files[2:])

    def test_reports_of_programs_have_a_meaning_for_people(self) -> None:
        for report, reason in {
            "cannot open: no such file or directory": "The file does not exist",
            "lp is not installed": "The program “lp” is not installed",
            "xdg-email is not installed, and mailto: has no attachments":
                "No program for sending mail is installed",
            "cannot save in /a {} b: permission denied":
                "Nothing can be saved in the folder “/a {} b”",
            "cannot save in /a: no space left on device":
                "There is no space left in the folder “/a”",
            "lp failed: lp: Error": "The printer did not take it; check the default printer",
            "wl-copy failed: x": "The program that was to do it failed",
            "101 programs would be started; at most 100 are started at once":
                "101 programs would have to be started at once",
            "says it comes from 'A' ('a'), which is not installed here":
                "The application that the file came from is not installed",
            "whatever": "", "": "", "x" * 100_000: "",
        }.items():
            with self.subTest(report[:80]):
                self.assertEqual(failures.known(report), reason)

    def test_folder_is_asked_for_if_the_users_settings_name_none(self) -> None:
        offer = share_list.Offer("save", "Save", "", "")
        with tempfile.TemporaryDirectory() as place, mock.patch.dict(os.environ, {
                "HOME": place, "XDG_CONFIG_HOME": f"{place}/config"}):
            path = f"{place}/a.txt".encode()
            with open(path, "w", encoding="utf-8"):
                pass
            nothing = share_list.Answers()
            self.assertEqual(share_list.tried([path], offer, nothing), ([], True))
            self.assertEqual(
                share_list.tried([path], offer, share_list.Answers(folder=place)), ([], False))
            self.assertEqual(share_list.share([path], offer, nothing)[0].file, None)
            [failure] = share_list.share(
                [path], offer, share_list.Answers(folder=f"{place}/a.txt"))
            self.assertEqual(
                failure.reason, f"Nothing can be saved in the folder “{place}/a.txt”")
            os.mkdir(f"{place}/Downloads")
            self.assertEqual(share_list.tried([path], offer, nothing), ([], False))
            self.assertEqual(share_list.share([path], offer, nothing), [])
            self.assertTrue(os.path.exists(f"{place}/Downloads/a.txt"))

    def test_files_that_cannot_be_opened_are_named_with_the_reason(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            path = f"{place}/a\udcff.txt"
            with open(path, "w", encoding="utf-8"):
                pass
            files = [os.fsencode(path), f"{place}/b.txt".encode()]
            documentsource.write(files[0], identifier="org.example.missing")
            shutil.copy(path, files[1].decode())
            documentsource.write(files[1], identifier="org.example.missing")
            found = share_list.open_in_source(files[1:])
            self.assertEqual([(one.file, one.reason) for one in found], [(
                files[1], "The application that the file came from is not installed")])
            self.assertEqual(len(share_list.open_in_source(files)), 2)

    def offered(self, *lines: dict, files: "list[bytes]" = [b"/a.txt"]) -> "list[tuple]":
        listed = "\n".join(json.dumps({"fits": True, "reason": "", **line}) for line in lines)
        with mock.patch.object(share_list, "_run", return_value=mock.Mock(
                returncode=0, stdout=listed.encode())):
            return [(one.group, one.name, one.detail) for one in share_list.offers(files)]

    def test_offers_are_applications_then_actions_in_plain_words(self) -> None:
        def line(kind: str, name: str, reason: str) -> dict:
            return {"target": name.lower(), "kind": kind, "name": name, "reason": reason}

        with mock.patch.object(share_list.shutil, "which", return_value="/p"), mock.patch.object(
                share_list.Gio.AppInfo, "get_default_for_uri_scheme", return_value=mock.Mock()):
            self.assertEqual(self.offered(
                line("target", "Rule", "its rule matches"),
                line("application", "One", "default application for text/plain"),
                line("application", "Two", "declares application/x-perl"),
                line("custom", "Own", "accepts 2 of 3"), line("custom", "It", "accepts it"),
                line("send-to", "Sent", 'in the menu "Send To" of Thunar'),
                line("activity", "Mail", "accepts files"),
                line("activity", "New", "some words of a later version"),
                line("application", "Three", "opens a more general type than text/plain"),
                {**line("application", "No", "declares text/plain"), "fits": False},
            ), [
                ("Applications", "Rule", "Made for this"),
                ("Applications", "One", "Usually opens plain text documents"),
                ("Applications", "Two", "Opens files of the type “Perl script”"),
                ("Applications", "Three", "Opens files of a more general type"),
                ("Actions", "Own", "Takes 2 of these 3 files"), ("Actions", "It", ""),
                ("Actions", "Sent", "From the menu “Send To” of Thunar"),
                ("Actions", "Mail", "Put into a new message"), ("Actions", "New", "")])

    def test_nothing_is_offered_whose_program_is_missing(self) -> None:
        lines = [
            {"target": name, "kind": "activity", "name": name}
            for name in ("mail", "message", "copy", "save", "print")] + [
            {"target": "own", "kind": "custom", "name": "own", "program": "mustachify"},
            {"target": "there", "kind": "target", "name": "there", "program": "there"}]

        def names(
            *programs: str, schemes: "tuple[str, ...]" = (), files: "list[bytes]" = [b"/a"],
        ) -> "list[str]":
            with mock.patch.object(
                    share_list.shutil, "which", side_effect=lambda name: name in programs or None
            ), mock.patch.object(
                    share_list.Gio.AppInfo, "get_default_for_uri_scheme",
                    side_effect=lambda scheme: scheme in schemes or None):
                return [name for _group, name, _detail in self.offered(*lines, files=files)]

        self.assertEqual(names(), ["Save"])
        self.assertEqual(names("lp"), ["Save", "Print"])
        self.assertEqual(names("there", "mustachify"), ["there", "Save", "own"])
        self.assertEqual(names("xdg-email"), ["Save"])
        self.assertEqual(names("xdg-email", schemes=("mailto",)), ["Mail", "Save"])
        self.assertEqual(names(schemes=("mailto", "sms")), ["Message", "Save"])
        self.assertEqual(names(schemes=("mailto",), files=[b"/a.XEI"]), ["Mail", "Save"])
        for wayland, program in ("", "xclip"), ("wayland-0", "wl-copy"):
            with mock.patch.dict(os.environ, {"WAYLAND_DISPLAY": wayland}):
                self.assertEqual(names(program), ["Copy", "Save"])

    def test_menus_of_file_managers_offer_no_second_mail(self) -> None:
        mail = {"target": "mail", "kind": "activity", "name": "Mail"}
        twin = {"target": "thunar-sendto-email", "kind": "send-to", "name": "Mail Recipient"}
        with mock.patch.object(share_list, "_has_program", return_value=True):
            self.assertEqual(
                [name for _group, name, _ in self.offered(twin, mail)], ["Mail"])
            self.assertEqual(
                [name for _group, name, _ in self.offered(twin)], ["Mail Recipient"])

    def test_names_that_were_typed_come_first_with_their_groups(self) -> None:
        offers = [share_list.Offer(name, name, "", "", group) for name, group in (
            ("E-mail Reader", "Applications"), ("Mailer", "Applications"), ("Copy Mail", "Actions"),
            ("Mail", "Actions"))]

        def names(text: str) -> "list[str]":
            return [one.name for one in application_list.ranked(offers, text)]

        self.assertEqual(names(""), ["E-mail Reader", "Mailer", "Copy Mail", "Mail"])
        self.assertEqual(names("mail"), ["Mail", "Copy Mail", "Mailer", "E-mail Reader"])
        self.assertEqual(names("mailer"), ["Mailer", "E-mail Reader", "Copy Mail", "Mail"])

    def test_websites_are_those_of_makers(self) -> None:
        for (identifier, url), site in {
            ("com.appliedphasor.working-copy", "https://raw.githubusercontent.com/a/b"): None,
            ("com.appliedphasor.working-copy", "https://appliedphasor.com/a"):
                "https://appliedphasor.com/",
            ("com.Example.a", "https://icons.example.com:8443/a"): "https://icons.example.com:8443/",
            ("com.example.a", "https://notexample.com/a"): None,
            ("com.example", "https://example.com/a"): None,
            ("com.example.a", "http://example.com/a"): None,
            ("io.github.me.App", "https://me.github.io/a"): "https://me.github.io/",
            ("io.github.me.App", "https://you.github.io/a"): None,
            ("uk.co.maker.app", "https://maker.co.uk/"): "https://maker.co.uk/",
            ("uk.co.maker.app", "https://other.co.uk/"): None,
            ("com.example.a", "https://example.com@evil.org/"): None, (None, None): None,
        }.items():
            with self.subTest(identifier=identifier, url=url):
                self.assertEqual(website(Source(identifier, None, None, url, "")), site)

    def test_bytes_of_the_column_are_in_the_order_of_the_language(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(
                ["localedef", "-i", "de_DE", "-f", "UTF-8", f"{place}/de_DE.UTF-8"], check=True)
            program = "import locale; locale.setlocale(locale.LC_ALL, ''); " \
                "from docsource_desktop.words import sortable, visible; " \
                "names = ['', 'zebra', 'Äpfel', 'apfel', 'Birne', '(damaged)', 'Öl', 'Ofen', '中']; " \
                "print(*map(visible, sorted(map(sortable, names), key=str.encode)), sep='|')"
            said = subprocess.run(
                [sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, check=True,
                env={**os.environ, "LOCPATH": place, "LC_ALL": "de_DE.UTF-8",
                     "PYTHONPATH": os.pathsep.join(sys.path[:2]), "PYTHONIOENCODING": "utf-8"})
        self.assertEqual(
            said.stdout.decode(), "apfel|Äpfel|Birne|(damaged)|Ofen|Öl|zebra|中|\n")

    def test_weights_are_ordered_as_their_numbers(self) -> None:
        numbers = [*range(2500), *range(2500, 1 << 17, 97), 0x10ffff]
        keys = ["".join(map(chr, words._digits(number))).encode() for number in numbers]
        self.assertEqual(keys, sorted(keys))
        self.assertLess(max(max(words._digits(number)) for number in numbers), words._COUNT)

    # The dialogs

    def test_applications_are_offered_in_the_order_of_their_use(self) -> None:
        listed = "\n".join(json.dumps(one) for one in (
            {"identifier": "org.example.b", "name": "beta", "knownFrom": "registry"},
            {"identifier": "org.example.a", "name": "Alpha", "knownFrom": "registry"},
            {"identifier": "org.example.c", "name": "Gamma", "knownFrom": "built-in"},
            {"identifier": "org.example.settings", "name": "Panel", "knownFrom": "installed"}))
        with tempfile.TemporaryDirectory() as place, mock.patch.dict(
                os.environ, {"XDG_STATE_HOME": place}), mock.patch.object(
                application_list.subprocess, "run", return_value=mock.Mock(
                    returncode=0, stdout=listed.encode())), mock.patch.object(
                application_list, "entry", return_value=mock.Mock(
                    get_nodisplay=lambda: False, get_categories=lambda: "GTK;Settings;",
                    get_supported_types=list)):
            path = f"{place}/file".encode()
            with open(path, "w", encoding="utf-8"):
                pass

            def offered() -> "list[tuple[str, str]]":
                return [(one.identifier, one.group) for one in application_list.choices([path])]

            everything = [
                (f"org.example.{letter}", "All applications") for letter in ("a", "b", "c")]
            self.assertEqual(offered(), everything)
            for identifier in "org.example.c", "org.example.new", "org.example.c":
                application_list.remember(Application(identifier, None, identifier, None))
            recent = [("org.example.c", "Recently used"), ("org.example.new", "Recently used")]
            self.assertEqual(offered(), recent + everything[:2])
            documentsource.write(path, identifier="org.example.b", name="beta")
            self.assertEqual(
                offered(), [("org.example.b", "Present source"), *recent, everything[0]])
            self.assertEqual(
                [one.is_present for one in application_list.choices([path])],
                [True, False, False, False])
            with open(f"{place}/docsource/recent-applications", "w", encoding="utf-8") as kept:
                kept.write('[1]\n')
            self.assertEqual(
                offered(), [("org.example.b", "Present source"), everything[0], everything[2]])

    def test_programs_that_write_no_documents_are_not_offered(self) -> None:
        for identifier, categories, types, is_tool in (
            ("org.example.a", "Utility;TextEditor;", [], False),
            ("org.example.code", "Development;IDE;", ["inode/directory"], False),
            ("org.example.panel", "GTK;Settings;", [], True),
            ("org.gnome.Nautilus", "GNOME;GTK;Utility;Core;FileManager;", [], True),
            ("nemo", "GNOME;GTK;Utility;Core;", ["inode/directory"], True),
            ("caja-browser", "GTK;System;Core;", [], True),
            ("org.gnome.FileRoller", "GTK;Utility;Archiving;Compression;", [], True),
            ("thunar-bulk-rename", "Utility;Core;GTK;Filesystem;", [], True),
            ("org.kde.KRename", "Qt;KDE;Utility;", [], True), ("org.example.none", None, None, False),
        ):
            with self.subTest(identifier), mock.patch.object(
                    application_list, "entry", return_value=mock.Mock(
                        get_nodisplay=lambda: False, get_categories=lambda: categories,
                        get_supported_types=lambda: types)):
                one = {"identifier": identifier, "knownFrom": "installed"}
                self.assertEqual(application_list._is_tool(one), is_tool)
                # What the user has listed is offered, whatever it is.
                self.assertFalse(application_list._is_tool({**one, "knownFrom": "registry"}))

    def test_two_of_one_name_are_told_apart(self) -> None:
        programs = {"org.a.Text": "/usr/bin/a-text", "org.b.Text": "b-text", "c": "flatpak",
                    "d": "flatpak"}

        def entry(identifier: str) -> "Optional[mock.Mock]":
            program = programs.get(identifier)
            return program and mock.Mock(get_executable=lambda: program)

        with mock.patch.object(application_list, "entry", entry):
            self.assertEqual([one.shown_name for one in application_list.told_apart([
                Application(identifier, None, name, None) for identifier, name in (
                    ("org.a.Text", "Text"), ("org.b.Text", "text"), ("org.x.Other", "Other"),
                    ("c", "Sand"), ("d", "Sand"), ("com.Gone", "text"), ("a/b", "Text"))])],
                ["Text (a-text)", "text (b-text)", "Other", "Sand (c)", "Sand (d)", "text (Gone)",
                 "Text (a/b)"])

    def test_question_is_asked_until_it_is_not_to_be(self) -> None:
        with tempfile.TemporaryDirectory() as place, mock.patch.dict(
                os.environ, {"XDG_CONFIG_HOME": place}):
            self.assertTrue(settings.asks_before_removing())
            settings.ask_no_more()
            self.assertFalse(settings.asks_before_removing())
            with open(f"{place}/docsource/file-managers.json", "w", encoding="utf-8") as kept:
                kept.write("[]")
            self.assertTrue(settings.asks_before_removing())

    # What is said of several files, and what can be taken back

    def test_sources_of_several_files_are_counted(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            files = []
            for number in range(4):
                path = f"{place}/{number}".encode()
                files.append(path)
                with open(path, "wb"):
                    pass
            for file in files[1:3]:
                documentsource.write(file, identifier="org.example.a", name="A\u202eb")
            os.setxattr(files[3], "user.x-document-source", b"bplist00nonsense")
            self.assertEqual(source_groups.lines(files[:1]), [])
            self.assertEqual(
                source_groups.lines([*files, f"{place}/gone".encode()]),
                ["A\\u{202e}b: 2 files", "(damaged): 1 file", "(cannot be read): 1 file",
                 "(no source): 1 file"])
            for number in range(7):
                path = f"{place}/many{number}".encode()
                with open(path, "wb"):
                    pass
                documentsource.write(path, name=f"Many {number}")
            many = [f"{place}/many{number}".encode() for number in range(7)]
            self.assertEqual(
                source_groups.lines([*many, many[0]]),
                ["Many 0: 2 files", *(f"Many {number}: 1 file" for number in range(1, 5)),
                 "and 2 more files"])
            self.assertEqual(
                source_groups.lines(files[:1] * 203), ["(no source): 200 files", "and 3 more files"])

    def test_last_change_is_taken_back_where_nothing_else_has_changed(self) -> None:
        stream = "user.DosStream.x-document-source:$DATA"
        with tempfile.TemporaryDirectory() as place, mock.patch.dict(
                os.environ, {"XDG_RUNTIME_DIR": place}):
            files = [f"{place}/{name}".encode() for name in ("plain", "tagged", "changed", "served")]
            for file in files:
                with open(file, "wb"):
                    pass
            documentsource.write(files[1], identifier="org.example.old", path="a/b")
            os.setxattr(files[3], stream, os.getxattr(files[1], "user.x-document-source") + b"\0")
            before = [undo.values(file) for file in files]
            self.assertIsNone(undo.last_change(files))
            recorder = undo.Recorder()
            for file in files:
                recorder.around(file, lambda: documentsource.write(
                    file, identifier="org.example.new", name="New"))
            recorder.keep("tag", "New")
            self.assertNotEqual([undo.values(file) for file in files], before)
            self.assertEqual(os.stat(f"{place}/docsource/last-change").st_mode & 0o777, 0o600)
            documentsource.write(files[2], name="Later")
            later = undo.values(files[2])
            last = undo.last_change(files)
            self.assertEqual((last.verb, last.application), ("tag", "New"))
            self.assertEqual(
                [change.file for change in last.changes], [files[0], files[1], files[3]])
            self.assertEqual(len(undo.last_change(files[:1]).changes), 1)
            self.assertIsNone(undo.last_change([b"/other"]))
            documentsource.write(files[1], name="Meanwhile")
            meanwhile = undo.values(files[1])
            for change in last.changes:
                undo.take_back(change)
            self.assertEqual(
                [undo.values(file) for file in files], [before[0], meanwhile, later, before[3]])
            # What changes nothing is no change; nor is what fails.
            kept = f"{place}/docsource/last-change"
            with open(kept, "rb") as file:
                text = file.read()
            recorder = undo.Recorder()
            recorder.around(files[0], lambda: documentsource.remove(files[0]))
            with self.assertRaises(documentsource.Error):
                recorder.around(b"/proc/self/status", lambda: documentsource.write(
                    b"/proc/self/status", name="x"))
            recorder.keep("remove")
            with open(kept, "rb") as file:
                self.assertEqual(file.read(), text)

    def test_damaged_or_large_record_of_a_change_is_left_alone(self) -> None:
        with tempfile.TemporaryDirectory() as place, mock.patch.dict(
                os.environ, {"XDG_RUNTIME_DIR": place}):
            file = f"{place}/file".encode()
            with open(file, "wb"):
                pass
            os.mkdir(f"{place}/docsource")
            for text in (
                "", "[]", "{}", "nonsense", '{"verb": "tag", "application": "", "changes": 7}',
                '{"verb": "tag", "application": "", "changes": [{"file": "!"}]}',
            ):
                with open(f"{place}/docsource/last-change", "w", encoding="utf-8") as kept:
                    kept.write(text)
                with self.subTest(text):
                    self.assertIsNone(undo.last_change([file]))
            with mock.patch.object(undo, "_LIMIT", 10):
                recorder = undo.Recorder()
                recorder.around(file, lambda: documentsource.write(file, name="New"))
                recorder.keep("tag", "New")
            self.assertFalse(os.path.exists(f"{place}/docsource/last-change"))
            # Other attributes than docsource's are never written.
            with open(f"{place}/docsource/last-change", "w", encoding="utf-8") as kept:
                json.dump({"verb": "tag", "application": "", "changes": [{
                    "file": undo._text(file), "before": {"user.other": "eA=="},
                    "after": undo._texts(undo.values(file))}]}, kept)
            self.assertEqual(undo.last_change([file]).changes[0].before, {})
        with mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": ""}):
            self.assertFalse(undo.is_possible())
            self.assertIsNone(undo.last_change([file]))
            undo.forget()

    # The pictures of share items

    def item_with(self, place: str, *pictures: object) -> bytes:
        """A share item whose pictures are data or paths."""
        path = f"{place}/item.xei"
        with open(path, "wb") as file:
            plistlib.dump({
                "NSExtensionItemAttachmentsKey": [{
                    "registeredTypeIdentifiers": ["public.url"], "value": "https://example.com/a"}],
                "x-extension-item-thumbnail": [{
                    "registeredTypeIdentifiers": ["public.png"],
                    "value" if isinstance(one, bytes) else "path": one} for one in pictures],
            }, file, fmt=plistlib.FMT_BINARY)
        return path.encode()

    def test_picture_of_an_item_is_rendered_to_fit(self) -> None:
        with tempfile.TemporaryDirectory() as place, open(PICTURE, "rb") as file:
            data = file.read()
            item = self.item_with(place, data)
            for scale in 1, 2:
                with self.subTest(scale):
                    found = thumbnail.thumbnail([item], scale)
                    self.assertEqual((found.width, found.height), (76, 48))
                    self.assertTrue(thumbnail._is_drawn(found.png, 76 * scale))
            made = f"{place}/made.xei"
            subprocess.run(
                [f"{PREFIX}/bin/docsource", "item", "make", "--url=https://example.com/a",
                 f"--thumbnail={PICTURE}", "--embed", "-o", made], check=True)
            again = thumbnail.thumbnail([made.encode()])
            self.assertEqual(again, thumbnail.thumbnail([item]))
            for files in [item, item], [made.encode(), item], [f"{place}/made.txt".encode()], []:
                shutil.copy(made, f"{place}/made.txt")
                with self.subTest(files):
                    self.assertIsNone(thumbnail.thumbnail(files))

    def test_pictures_are_read_below_the_directory_of_the_item_alone(self) -> None:
        with tempfile.TemporaryDirectory() as outer:
            place = f"{outer}/place"
            os.makedirs(f"{place}/below")
            for name in "outside.png", "place/inside.png", "place/below/deep.png":
                shutil.copy(PICTURE, f"{outer}/{name}")
            for link, target in {
                "link.png": "../outside.png", "up": "..", "near.png": "inside.png",
                "whole": outer,
            }.items():
                os.symlink(target, f"{place}/{link}")
            for name in "pipe.png", "filled.png":
                os.mkfifo(f"{place}/{name}")
            filled = os.open(f"{place}/filled.png", os.O_RDWR)
            self.addCleanup(os.close, filled)
            with open(PICTURE, "rb") as file:
                os.write(filled, file.read())
            os.mkdir(f"{place}/directory.png")
            for path, is_shown in {
                "inside.png": True, "below/deep.png": True, "../outside.png": False,
                "below/../../outside.png": False, "below/../inside.png": False,
                f"{outer}/outside.png": False, f"{place}/inside.png": False, "link.png": False,
                "up/outside.png": False, "whole/outside.png": False, "near.png": False,
                "pipe.png": False, "filled.png": False, "directory.png": False,
                "missing.png": False, "": False,
            }.items():
                with self.subTest(path):
                    found = thumbnail.thumbnail([self.item_with(place, path)])
                    self.assertEqual(found is not None, is_shown)
            self.assertIsNotNone(
                thumbnail.thumbnail([self.item_with(place, "link.png", "inside.png")]))
            item = self.item_with(place, "inside.png")
            with contextlib.ExitStack() as back:
                back.callback(os.chdir, os.getcwd())
                os.chdir(place)
                self.assertIsNotNone(thumbnail.thumbnail([os.path.basename(item)]))

    def test_what_is_no_small_png_is_not_shown(self) -> None:
        with open(PICTURE, "rb") as file:
            png = file.read()
        # What follows the picture is not looked at.
        full = png + bytes(thumbnail._INPUT_LIMIT - len(png))
        with tempfile.TemporaryDirectory() as place:
            for name, data, is_shown in (
                ("full", full, True), ("oversized", full + b"x", False),
                ("JPEG", b"\xff\xd8\xff\xe0" + bytes(100), False), ("garbage", b"x" * 100, False),
                ("cut off", png[:len(png) // 2], False), ("a head", png[:20], False),
                ("empty", b"", False), ("damaged", png[:60] + b"xxxx" + png[64:], False),
                ("huge", png[:16] + b"\x7f\xff\xff\xff" * 2 + png[24:], False),
            ):
                with open(f"{place}/picture", "wb") as file:
                    file.write(data)
                for form in data, "picture":
                    with self.subTest(name, form=type(form)):
                        found = thumbnail.thumbnail([self.item_with(place, form)])
                        self.assertEqual(found is not None, is_shown)
            for content in b"no item", b"", b"bplist00nonsense":
                with self.subTest(content), open(f"{place}/none.xei", "wb") as file:
                    file.write(content)
                    file.flush()
                    self.assertIsNone(thumbnail.thumbnail([file.name.encode()]))
            self.assertIsNone(thumbnail.thumbnail([self.item_with(place)]))
            self.assertIsNone(thumbnail.thumbnail([f"{place}/missing.xei".encode()]))

    def test_without_an_answer_of_the_programs_there_is_no_picture(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            shutil.copy(PICTURE, f"{place}/a.png")
            item = self.item_with(place, "a.png")
            for script in (
                None, "exit 1", "echo nonsense", "exec sleep 60", "exec cat /dev/zero",
                f"exec cat '{PICTURE}'", "exec <&-; exec sleep 60", "exec >&-; exec sleep 60",
            ):
                with open(f"{place}/program", "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\n{script}\n")
                os.chmod(f"{place}/program", 0o755)
                for name in "docsource", "docsource-fetch":
                    def program(wanted: str) -> str:
                        if wanted != name:
                            return places.program(wanted)
                        return f"{place}/program" if script else f"{place}/missing"

                    with self.subTest(name, script=script), mock.patch.object(
                            thumbnail, "program", program), mock.patch.object(
                            thumbnail, "_SECONDS", 0.5):
                        start = time.monotonic()
                        self.assertIsNone(thumbnail.thumbnail([item]))
                        self.assertLess(time.monotonic() - start, 20)

    def test_largest_enough_of_several_pictures_is_taken(self) -> None:
        pictures = [{"width": side, "height": side} for side in (16, 512, 64, 48, 32)] + [{}]
        self.assertEqual(
            [one.get("width") for one in thumbnail._fitting(pictures, 1)],
            [48, 64, 512, 32, 16, None])
        self.assertEqual(thumbnail._fitting(pictures, 2)[0]["width"], 512)

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
