"""What Dolphin shows of sources, by our plugins for it.

DESKTOP_INSTALLED names where docsource is installed, DESKTOP_KEPT where screenshots and logs are put.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import unittest
from typing import Dict, Iterator, List, Optional, Set, Tuple

import documents
import evidence
import glance
import windows
from desktop_session import PATIENCE, DesktopSession, wait

session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

import screen  # noqa: E402 (it takes the session's bus)

ATTRIBUTE = "user.x-document-source"
WORKING_COPY = "com.appliedphasor.working-copy"
SITE = "https://icons.example.org/"
INFO = f"{SITE}appInfo.json"
FOLDER = f"{session.home}/documents"
PLUGINS = f"{session.prefix}/lib/qt5/plugins"
MAGENTA, BLUE = (255, 0, 255), (0x1c, 0x71, 0xd8)
GENERIC = "emblem-docsource"
# The letter that is underlined in the title of our page of properties.
OUR_PAGE = "alt+s"


def tagged(name: str, *options: str) -> str:
    path = session.file(f"documents/{name}")
    options = options or ("-i", WORKING_COPY, "--app-name", "Working Copy", "-p", f"drafts/{name}")
    session.docsource("tag", "-q", *options, path)
    return path


def needed() -> Optional[str]:
    """What is missing to run this."""
    if not shutil.which("dolphin"):
        return "Dolphin is not installed"
    if not os.path.exists(f"{PLUGINS}/kf5/overlayicon/docsource-overlay.so"):
        return "Dolphin's plugins are not built"
    return None


class DolphinWindow(unittest.TestCase):
    """A window on the folder, by what the plugins report."""

    log = ""
    dolphin: subprocess.Popen

    @classmethod
    def start(cls, log: str, **environment: str) -> None:
        tagged("letter.txt")
        # That of Baloo's widgets would stand between ours and the last one.
        session.file(".config/kservicemenurc", b"[Show]\ntagsfileitemaction=false\n")
        cls.log = f"{session.kept}/{log}.txt"
        cls.dolphin = session.start_needed(["dolphin", "--new-window", FOLDER], log, {
            "QT_PLUGIN_PATH": PLUGINS, "QT_LOGGING_RULES": "docsource.dolphin.debug=true",
            # With an icon theme.
            "XDG_CURRENT_DESKTOP": "KDE", **environment,
        })
        wait(lambda: cls.emblem("letter.txt"), "Dolphin")

    @classmethod
    def reported(cls, kind: str) -> List[Tuple[str, ...]]:
        """The texts that the plugins have reported so far."""
        with open(cls.log, encoding="utf-8", errors="replace") as log:
            lines = [line for line in log if line.startswith(f"docsource.dolphin: {kind} ")]
        return [tuple(re.findall(r'"((?:[^"\\]|\\.)*)"', line)) for line in lines]

    @classmethod
    def emblem(cls, name: str) -> Optional[str]:
        emblems = [emblem for path, emblem in cls.reported("emblem") if path == f"{FOLDER}/{name}"]
        return emblems[-1] if emblems else None

    # Qt tells assistive technology nothing here: the dialog is found as a window.

    def press_in_dialog(self, key: str) -> None:
        windows.focus("^Properties")
        screen.press(key)

    @contextlib.contextmanager
    def properties_of(self, *names: str) -> Iterator[None]:
        """Shows their properties, and our page where there is one."""
        uris = ", ".join(f"'file://{FOLDER}/{name}'" for name in names)
        session.wait_for_service("org.freedesktop.FileManager1")
        # Dolphin answers only when the dialog has been closed.
        session.start(
            ["gdbus", "call", "--session", "--timeout", "1", "-d", "org.freedesktop.FileManager1",
             "-o", "/org/freedesktop/FileManager1", "-m",
             "org.freedesktop.FileManager1.ShowItemProperties", f"[{uris}]", ""], "call")
        wait(lambda: windows.titled("^Properties"), "the properties")
        screen.settle()
        self.press_in_dialog(OUR_PAGE)
        screen.settle()
        yield
        screen.act_until(
            lambda: not windows.titled("^Properties"), lambda: self.press_in_dialog("Escape"),
            "the properties to be closed")

    def choose_in_menu(self, name: str, *keys: str, more: int = 0) -> List[Tuple[str, ...]]:
        """Opens the menu of a file, and of so many after it, and chooses by keys, up from its last
        entry; returns our entries.

        Ours stand above the last one: Share, Open in, if it is there, and Source."""
        windows.focus("documents")
        subprocess.run(["xdotool", "type", "--delay", "60", name], check=True)
        screen.settle()
        for _ in range(more):
            screen.press("shift+Right")
        seen = len(self.reported("entry"))
        screen.press("Menu")
        screen.settle()
        for key in keys:
            screen.press(key)
            screen.settle(0.3)
        screen.photograph(f"{session.kept}/dolphin-menu-{name}.png")
        entries = self.reported("entry")[seen:]
        screen.press("Return")
        return entries

    @staticmethod
    def close(title: str) -> None:
        """Closes a dialog; Dolphin, too, has a button with that name."""
        def close() -> None:
            windows.focus(f"^{title}$")
            screen.press("Escape")

        screen.act_until(lambda: not windows.titled(f"^{title}$"), close, f"{title} to be gone")


@unittest.skipIf(needed(), needed())
class DolphinTests(DolphinWindow):
    """One window on one folder, in which each test has files of its own."""

    @classmethod
    def setUpClass(cls) -> None:
        icons = f"{session.home}/.local/share/icons/hicolor/48x48/apps"
        os.makedirs(icons)
        subprocess.run(
            ["convert", "-size", "48x48", "xc:#ff00ff", f"{icons}/org.example.editor.png"],
            check=True)
        session.file("outside.txt")
        session.file(
            ".local/share/applications/org.example.writer.desktop",
            b"[Desktop Entry]\nType=Application\nName=Writer\nExec=true\n")
        session.docsource(
            "tag", "-q", "-i", "org.example.editor", f"{session.home}/outside.txt")
        tagged("own.txt", "-i", "org.example.editor", "--app-name", "Editor")
        tagged("path.txt", "-i", "/usr/share/icons/hicolor/48x48/apps/any.png")
        tagged("odd.txt", "-i", "org.example.odd", "--app-name", "Odd\u202etxt.exe", "-p", "<b>bold</b>")
        os.setxattr(session.file("documents/damaged.txt"), ATTRIBUTE, b"bplist00nonsense")
        download = session.file("documents/download.txt")
        os.setxattr(download, "user.xdg.origin.url", b"https://example.org/files/a.txt")
        os.setxattr(download, "user.com.apple.quarantine", b"0081;5fad2a6e;Safari;")
        for name in "plain.txt", "live.txt", "replaced.txt", "untagged.txt":
            session.file(f"documents/{name}")
        os.makedirs(f"{FOLDER}/directory")
        session.docsource("tag", "-q", "-i", WORKING_COPY, f"{FOLDER}/directory")
        os.mkfifo(f"{FOLDER}/pipe")
        cls.start("dolphin")
        cls.addClassCleanup(lambda: session.end(cls.dolphin))

    def tearDown(self) -> None:
        screen.photograph(f"{session.kept}/dolphin-{self.id().rpartition('.')[2]}.png")

    def wait_for_emblem(self, name: str, emblem: str) -> None:
        wait(lambda: self.emblem(name) == emblem, f"{name} to have the emblem {emblem!r}")

    def count(self, colour: Tuple[int, int, int]) -> int:
        """How many pixels of the list have a colour."""
        picture = f"{session.kept}/dolphin-colours.png"
        screen.photograph(picture)
        return screen.count_pixels(picture, (0, 0, 1280, 800), colour)

    def wait_for_properties(self, *properties: Tuple[str, ...]) -> None:
        count = len(properties)
        wait(lambda: self.reported("property")[-count:] == list(properties), f"{properties}")

    def test_emblem_is_the_applications_icon_or_the_generic_one(self) -> None:
        self.wait_for_emblem("letter.txt", GENERIC)
        self.wait_for_emblem("own.txt", "org.example.editor")
        self.wait_for_emblem("directory", GENERIC)
        # An untrusted identifier is no path to a picture.
        self.wait_for_emblem("path.txt", GENERIC)
        wait(lambda: self.count(MAGENTA) > 50, "the application's icon to be drawn")
        wait(lambda: self.count(BLUE) > 50, "the generic emblem to be drawn")
        self.wait_for_emblem("damaged.txt", f"{GENERIC}-damaged")
        self.wait_for_emblem("download.txt", f"{GENERIC}-marked")
        for name in "plain.txt", "pipe":
            self.assertIsNone(self.emblem(name), name)

    def test_emblems_follow_the_attribute(self) -> None:
        self.wait_for_emblem("own.txt", "org.example.editor")
        screen.settle()
        before = self.count(MAGENTA)
        path = f"{FOLDER}/live.txt"
        value = os.getxattr(f"{FOLDER}/own.txt", ATTRIBUTE).hex()
        session.run("setfattr", "-n", ATTRIBUTE, "-v", f"0x{value}", path)
        self.wait_for_emblem("live.txt", "org.example.editor")
        wait(lambda: self.count(MAGENTA) > before, "the emblem to be drawn")
        session.run("setfattr", "-x", ATTRIBUTE, path)
        self.wait_for_emblem("live.txt", "")
        wait(lambda: self.count(MAGENTA) == before, "the emblem to vanish")

    def test_file_that_replaces_another_has_its_own_emblem(self) -> None:
        os.rename(f"{session.home}/outside.txt", f"{FOLDER}/replaced.txt")
        self.wait_for_emblem("replaced.txt", "org.example.editor")

    def test_properties_say_what_the_source_is(self) -> None:
        tagged("paged.txt", "-i", "org.example.editor", "--app-name", "Editor", "-p", "drafts/a", "-u", INFO)
        self.wait_for_emblem("paged.txt", "org.example.editor")
        screen.settle()
        before = self.count(MAGENTA)
        with self.properties_of("paged.txt"):
            self.wait_for_properties(
                ("Application", "Editor", ""), ("Identifier", "org.example.editor", ""),
                ("Document", "drafts/a", ""), ("App info", INFO, SITE))
            # The icon is of 48 by 48 pixels, and the dialog hides the list.
            screen.act_until(
                lambda: self.count(MAGENTA) >= 48 * 48, lambda: self.press_in_dialog(OUR_PAGE),
                "the page, and the icon on it")
            screen.photograph(f"{session.kept}/dolphin-properties.png")
        wait(lambda: self.count(MAGENTA) == before, "the list to be in view again")

    def test_properties_say_that_watch_has_tagged_the_file(self) -> None:
        path = session.file("documents/automatic.txt")
        self.addCleanup(os.unlink, path)
        documents.tag_as_watch_does(path)
        documents.record_as_the_witness_does(path)
        with self.properties_of("automatic.txt"):
            wait(lambda: [name for name, *_ in self.reported("property")][-4:] == [
                "Application", "Identifier", "Tagged automatically", "Verified"],
                "the properties")
            self.assertRegex(
                self.reported("property")[-2][1], "^November [0-9]+, 2026, [0-9:]{5}$")
            self.assertEqual(
                self.reported("property")[-1][1],
                "✓ This computer saw the application write the file")

    def test_texts_of_strangers_are_shown_as_they_are(self) -> None:
        with self.properties_of("odd.txt"):
            self.wait_for_properties(
                ("Application", "Odd\\\\u{202e}txt.exe", ""), ("Identifier", "org.example.odd", ""),
                ("Document", "<b>bold</b>", ""))

    def test_damage_is_told(self) -> None:
        with self.properties_of("damaged.txt"):
            wait(lambda: [name for name, *_ in self.reported("property")][-1:] == ["Damaged"],
                 "the damage")

    def test_properties_have_the_short_answer_of_all_marks(self) -> None:
        with self.properties_of("download.txt"):
            wait(lambda: [line[:2] for line in self.reported("property")[-4:-1]] == [
                ("Origin", "Downloaded from example.org by “Safari” on November 12, 2020"),
                ("Downloaded from", "https://example.org/files/a.txt"), ("Program", "Safari")],
                "the short answer")
            screen.photograph(f"{session.kept}/dolphin-answer.png")

    def test_properties_say_what_a_browser_has_recorded(self) -> None:
        path = session.file("documents/recorded.txt")
        self.addCleanup(os.unlink, path)
        url = "https://files.example.com/recorded.txt"
        self.addCleanup(shutil.rmtree, documents.record_download(session, path, url))
        with self.properties_of("recorded.txt"):
            wait(lambda: [
                ("Origin", "Downloaded from files.example.com by “Chromium” on January 1, 1970"),
                ("Downloaded from", url), ("Program", "Chromium"),
            ] == [line[:2] for line in self.reported("property")[-4:-1]], "the short answer")

    def test_properties_say_which_program_has_written_the_content(self) -> None:
        path = session.file("documents/written.odt", documents.content_of("libreoffice.odt"))
        self.addCleanup(os.unlink, path)
        with self.properties_of("written.odt"):
            wait(lambda: [line[:2] for line in self.reported("property")[-1:]] == [
                ("Origin", "Written by “LibreOffice 7.4.7.2”")], "the program")

    def test_marks_that_contradict_each_other_stand_side_by_side(self) -> None:
        path = tagged("doubtful.txt")
        self.addCleanup(os.unlink, path)
        one, two = "https://one.example/a", "https://two.example/b"
        os.setxattr(path, "user.xdg.origin.url", one.encode())
        os.setxattr(
            path, "user.Zone.Identifier",
            f"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl={two}\r\n".encode())
        self.wait_for_emblem("doubtful.txt", f"{GENERIC}-doubtful")
        with self.properties_of("doubtful.txt"):
            wait(lambda: self.reported("property")[-3:-1] == [
                ("Downloaded from", f"{one} (xdg.origin.url)", one),
                ("Downloaded from", f"{two} (Zone.Identifier)", two)], "both addresses")
            screen.photograph(f"{session.kept}/dolphin-contradiction.png")

    def test_marks_where_hardly_anybody_keeps_them_contradict_each_other(self) -> None:
        path = f"{FOLDER}/7"
        for colon, host in (":", "one"), ("\uf03a", "two"):
            beside = f"{path}{colon}Zone.Identifier"
            with open(beside, "w", encoding="ascii") as stream:
                stream.write(f"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://{host}.example/\r\n")
            self.addCleanup(os.unlink, beside)
        self.addCleanup(os.unlink, tagged("7"))
        self.wait_for_emblem("7", f"{GENERIC}-doubtful")
        with self.properties_of("7"):
            wait(lambda: [
                line for line in self.reported("property") if line[0] == "Downloaded from"][-2:] == [
                    ("Downloaded from", f"https://{host}.example/ (Zone.Identifier)",
                     f"https://{host}.example/") for host in ("one", "two")], "both addresses")

    def test_emblem_follows_the_files_beside_that_have_marks(self) -> None:
        self.addCleanup(os.unlink, tagged("8"))
        self.wait_for_emblem("8", GENERIC)
        beside = [f"{FOLDER}/8{colon}Zone.Identifier" for colon in (":", "\uf03a")]
        for path, host in zip(beside, ("one", "two")):
            with open(path, "w", encoding="ascii") as stream:
                stream.write(f"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://{host}.example/\r\n")
        self.wait_for_emblem("8", f"{GENERIC}-doubtful")
        os.unlink(beside[0])
        self.wait_for_emblem("8", GENERIC)
        os.unlink(beside[1])

    def test_emblem_follows_an_apple_double_file(self) -> None:
        session.file("documents/9")
        self.addCleanup(os.unlink, f"{FOLDER}/9")
        screen.settle()
        self.assertIsNone(self.emblem("9"))
        beside = f"{FOLDER}/._9"
        place = os.path.join(os.path.dirname(__file__), "../../Fixtures/AppleDouble")
        shutil.copyfile(f"{place}/kernel.appledouble", beside)
        self.wait_for_emblem("9", GENERIC)
        os.unlink(beside)
        self.wait_for_emblem("9", "")

    def test_page_has_buttons_for_what_can_be_done(self) -> None:
        record = session.recorder("org.example.paged", "Paged & Read")
        path = tagged("acted.txt", "-i", "org.example.paged")
        self.addCleanup(os.unlink, path)
        address = "https://example.org/files/a.txt"
        os.setxattr(path, "user.xdg.origin.url", address.encode())
        wait(lambda: self.emblem("acted.txt"), "the emblem")
        seen = len(self.reported("action"))
        with self.properties_of("acted.txt"):
            wait(lambda: self.reported("action")[seen:] == [
                ("Open in Paged && Read",), ("Copy Address",)], "the buttons")
            screen.photograph(f"{session.kept}/dolphin-actions.png")
            # The letters that KDE underlines.
            screen.act_until(
                lambda: self.clipboard() == address, lambda: self.press_in_dialog("alt+a"),
                "the address on the clipboard")
            screen.act_until(
                lambda: os.path.exists(record) and os.path.getsize(record),
                lambda: self.press_in_dialog("alt+r"), "the application")
        with open(record, encoding="utf-8") as words:
            self.assertEqual(words.read(), f"{path}\n")

    @staticmethod
    def clipboard() -> str:
        return subprocess.run(
            ["xclip", "-selection", "clipboard", "-out"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, timeout=20).stdout

    def test_long_paths_keep_the_name_of_the_file(self) -> None:
        path = "/".join(["a long way"] * 8 + ["the letter.txt"])
        tagged("deep.txt", "-i", "org.example.deep", "-p", path)
        with self.properties_of("deep.txt"):
            self.wait_for_properties(
                ("Identifier", "org.example.deep", ""),
                ("Document", "a long way/a long way/a long way/a long way/…/the letter.txt", ""))

    def test_menu_tags_files_and_removes_sources(self) -> None:
        path = f"{FOLDER}/untagged.txt"
        # Nothing to be removed, nor to be opened in.
        self.assertEqual(self.choose_in_menu("untagged", "Up", "Up", "Right"), [
            ("Share…", "share"), ("Tag with Application…", "tag"),
            ("Tag New Documents Automatically…", "watch")])
        glance.wait_for("untagged.txt", "label")
        screen.act_until(
            lambda: glance.named("com.appliedphasor.working-copy", "label")
            and not glance.named("org.example.writer", "label"),
            lambda: screen.type_into("Tag with Application", "working"), "the list to narrow")
        screen.act_until(
            lambda: ATTRIBUTE in os.listxattr(path), lambda: screen.press("Return"),
            "the file to be tagged")
        self.wait_for_emblem("untagged.txt", GENERIC)
        wait(lambda: not windows.titled("Tag with Application"), "the dialog to be gone")
        self.assertEqual(
            self.choose_in_menu("untagged", "Up", "Up", "Right", "Down", "Down", "Down")[-1],
            ("Remove Source", "remove"), "the last one")
        glance.wait_for("Remove the source of “untagged.txt”?", "label")
        glance.push("Remove")
        wait(lambda: ATTRIBUTE not in os.listxattr(path), "the source to be removed")
        self.wait_for_emblem("untagged.txt", "")

    def test_menu_turns_tagging_on(self) -> None:
        self.choose_in_menu("plain", "Up", "Up", "Right", "Down")
        glance.wait_for("Tag new documents automatically?", "label")
        screen.photograph(f"{session.kept}/dolphin-watching.png")
        glance.push("Tag Automatically")
        glance.wait_for("New documents are not tagged yet", "label")
        with open(f"{session.home}/.config/docsource/watch.json", "rb") as file:
            self.assertIs(json.load(file)["enabled"], True)
        self.close("Source")
        self.assertEqual(
            self.choose_in_menu("plain", "Up", "Up", "Right", "Down")[-1],
            ("Stop Tagging New Documents…", "watch"))
        glance.wait_for("Stop tagging new documents?", "label")
        glance.push("Stop Tagging")
        wait(lambda: not windows.titled("^Source$"), "the question to be gone")

    def test_menu_shares_files(self) -> None:
        self.choose_in_menu("plain", "Up", "Up", "Up")
        glance.wait_for("plain.txt", "label")
        glance.wait_for("Copy", "label")
        screen.photograph(f"{session.kept}/dolphin-share.png")
        window = windows.titled("documents")[0]
        self.assertEqual(
            self.reported("dialog")[-1],
            (f"share --gtk=3.0 --parent=x11:{int(window):x}", "started"))
        self.close("Share")

    def test_menu_opens_a_file_in_its_source(self) -> None:
        record = session.recorder("org.example.opener", "Open & Read")
        tagged("opens.txt", "-i", "org.example.opener")
        self.wait_for_emblem("opens.txt", GENERIC)
        self.assertEqual(self.choose_in_menu("opens", "Up", "Up", "Up"), [
            ("Share…", "share"), ("Open in Open && Read", "open"), ("Tag with Application…", "tag"),
            ("Copy Source", "copy"), ("Tag New Documents Automatically…", "watch"),
            ("Remove Source", "remove")])
        wait(lambda: os.path.exists(record) and os.path.getsize(record), "the application")
        with open(record, encoding="utf-8") as words:
            self.assertEqual(words.read(), f"{FOLDER}/opens.txt\n")

    def test_menu_copies_sources_and_addresses(self) -> None:
        tagged("copied.txt", "-i", "org.example.a", "--app-name", "Odd\u202e", "-p", "a/b", "-u", INFO)
        self.wait_for_emblem("copied.txt", GENERIC)
        self.assertIn(
            ("Copy Source", "copy"), self.choose_in_menu("copied", "Up", "Up", "Right", "Down"))
        wait(lambda: self.clipboard() == (
            "copied.txt\n  Application: Odd\\u{202e}\n  Identifier: org.example.a\n"
            f"  Document: a/b\n  App info: {INFO}"), "the source on the clipboard")
        self.assertEqual(self.choose_in_menu("download", "Up", "Up", "Right", "Down")[-4:], [
            ("Tag with Application…", "tag"), ("Copy Source", "copy"), ("Copy Address", "address"),
            ("Tag New Documents Automatically…", "watch")])
        wait(lambda: self.clipboard() == (
            "download.txt\n  Origin: Downloaded from example.org by “Safari” on November 12, 2020"),
            "the short answer on the clipboard")
        self.choose_in_menu("download", "Up", "Up", "Right", "Down", "Down")
        wait(lambda: self.clipboard() == "https://example.org/files/a.txt",
             "the address on the clipboard")

    def test_menu_leads_to_the_website_of_the_maker(self) -> None:
        visited = session.recorder(
            "org.example.browser", "Browser", "x-scheme-handler/https", "%u")
        session.file(
            ".config/mimeapps.list",
            b"[Default Applications]\nx-scheme-handler/https=org.example.browser.desktop\n")
        self.addCleanup(os.unlink, f"{session.home}/.config/mimeapps.list")
        tagged("maker.txt", "-i", "org.example.a", "-u", INFO)
        self.wait_for_emblem("maker.txt", GENERIC)
        self.assertIn(
            ("Visit Source App's Website", "website"),
            self.choose_in_menu("maker", "Up", "Up", "Right", "Down", "Down"))
        wait(lambda: os.path.exists(visited) and os.path.getsize(visited), "the browser")
        with open(visited, encoding="utf-8") as sites:
            self.assertEqual(sites.read(), f"{SITE}\n")

    def test_menu_copies_the_sources_of_several_files(self) -> None:
        for name in "several-1.txt", "several-2.txt", "several-3.txt":
            self.addCleanup(os.unlink, session.file(f"documents/{name}"))
        for name in "several-1.txt", "several-3.txt":
            tagged(name, "-i", "org.example.a")
            self.wait_for_emblem(name, GENERIC)
        os.setxattr(f"{FOLDER}/several-3.txt", "user.xdg.origin.url", b"https://example.org/")
        entries = self.choose_in_menu("several-1", "Up", "Up", "Right", "Down", more=2)
        self.assertNotIn("address", [what for _, what in entries])
        wait(lambda: self.clipboard() == (
            "several-1.txt\n  Identifier: org.example.a\n"
            "several-3.txt\n  Identifier: org.example.a"), "the sources on the clipboard")

    def test_file_without_a_source_has_no_page(self) -> None:
        seen = len(self.reported("property"))
        with self.properties_of("plain.txt"):
            screen.settle()
        self.assertEqual(len(self.reported("property")), seen)

    def test_icon_of_a_trusted_host_is_fetched(self) -> None:
        session.docsource("icon", "trust", "add", "icons.example.org")
        tagged("fetched.txt", "-i", "org.example.fetched", "-u", INFO)
        seen = len(self.reported("icon"))
        with self.properties_of("fetched.txt"):
            wait(lambda: len(self.reported("icon")) == seen + 2, "the icon, and another one")

    def test_zz_dolphin_ends_in_peace(self) -> None:
        subprocess.run(
            ["gdbus", "call", "--session", "-d", f"org.kde.dolphin-{self.dolphin.pid}", "-o",
             "/MainApplication", "-m", "org.qtproject.Qt.QApplication.quit"], check=True,
            stdout=subprocess.DEVNULL)
        self.assertEqual(self.dolphin.wait(PATIENCE), 0)
        with open(self.log, encoding="utf-8", errors="replace") as log:
            warnings = [line for line in log if line.startswith("docsource.dolphin:")
                        and not re.match(r"docsource.dolphin: (action|dialog|emblem|entry|icon|label|property) ", line)]
        self.assertEqual(warnings, [])


@unittest.skipIf(needed(), needed())
class StyleTests(DolphinWindow):
    """The page of properties in the styles that KDE has, after the other Dolphin has ended."""

    def test_dialogs_are_as_dark_as_dolphin(self) -> None:
        with open("/usr/share/color-schemes/BreezeDark.colors", "rb") as colours:
            scheme = session.file(".config/kdeglobals", colours.read())
        self.addCleanup(os.unlink, scheme)
        self.start("dolphin-dark", QT_QPA_PLATFORMTHEME="kde", KDE_SESSION_VERSION="5")
        self.choose_in_menu("letter", "Up", "Up", "Up")
        glance.wait_for("letter.txt", "label")
        words = self.reported("dialog")[-1][0]
        self.assertRegex(words, "^share --gtk=3.0 --parent=x11:[0-9a-f]+ --dark$")
        screen.settle()
        picture = f"{session.kept}/dolphin-dark.png"
        screen.photograph(picture)
        place = windows.place_of(windows.titled("^Share$")[0])
        self.assertLess(screen.brightness(picture, place), 0.4)
        self.close("Share")
        session.end(self.dolphin)

    def labels(self, seen: int) -> List[Tuple[str, ...]]:
        return self.reported("label")[seen:]

    def test_no_text_of_the_page_is_cut(self) -> None:
        path = tagged(
            "measured.txt", "-i", "com.example.an.application.with.a.long.identifier",
            "--app-name", "An Application with a Name of Several Words", "-p",
            "/".join(["a long way"] * 8 + ["the letter.txt"]), "-u", INFO)
        os.setxattr(path, "user.xdg.origin.url", b"https://one.example/" + b"a/" * 60)
        os.setxattr(
            path, "user.Zone.Identifier",
            b"[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://two.example/b\r\n")
        for style in "Breeze", "Fusion":
            self.start(f"dolphin-{style}", QT_STYLE_OVERRIDE=style)
            with self.subTest(style), self.properties_of("measured.txt"):
                for size in None, ("500", "360"), ("1100", "760"):
                    seen = len(self.reported("label"))
                    if size:
                        session.run(
                            "xdotool", "windowsize", windows.titled("^Properties")[0], *size)
                    else:
                        seen = 0
                    labels = wait(lambda: self.labels(seen), "the page")
                    screen.settle()
                    labels = self.labels(seen)
                    screen.photograph(
                        f"{session.kept}/dolphin-{style}-{size[0] if size else 'default'}.png")
                    self.assertGreater(len(labels), 12)
                    # As they are in the end.
                    last = dict((text, state) for text, state in labels)
                    self.assertEqual(
                        [text for text, state in last.items() if state != "whole"], [], size)
            session.end(self.dolphin)


@unittest.skipIf(needed(), needed())
@unittest.skipUnless(
    shutil.which("baloo_filemetadata_temp_extractor"), "libkf5baloowidgets-bin is not installed")
class ExtractorTests(DolphinWindow):
    """The source as what a document was generated by, in Dolphin and in Baloo."""

    program = ""
    """Says which extractors KFileMetaData runs."""

    def extracted(self, path: str) -> bytes:
        """What Dolphin is given for a file that is not indexed."""
        run = subprocess.run(
            ["baloo_filemetadata_temp_extractor", path], stdout=subprocess.PIPE, check=True,
            timeout=PATIENCE, env={**os.environ, "QT_PLUGIN_PATH": PLUGINS})
        return run.stdout

    @classmethod
    def setUpClass(cls) -> None:
        cls.program = f"{session.place}/extractors"
        libraries = session.run("pkg-config", "--cflags", "--libs", "Qt5Core").split()
        session.run(
            "g++", "-fPIC", f"{os.path.dirname(os.path.abspath(__file__))}/extractors.cpp", "-o",
            cls.program, "-I/usr/include/KF5/KFileMetaData", *libraries, "-lKF5FileMetaData")

    def extractors(self, **environment: str) -> Dict[str, Set[str]]:
        """The names of the extractors of each type."""
        lines = session.run(self.program, env={**os.environ, **environment}).splitlines()
        return {name: set(found) for name, *found in (line.split("\t") for line in lines)}

    def test_nothing_is_extracted_that_is_not_asked_for(self) -> None:
        path = tagged("asked.txt")
        found = session.run(self.program, path, env={**os.environ, "QT_PLUGIN_PATH": PLUGINS})
        self.assertEqual(found, "0")

    def test_no_file_is_taken_from_another_extractor(self) -> None:
        without, with_ours = self.extractors(), self.extractors(QT_PLUGIN_PATH=PLUGINS)
        self.assertEqual(
            {name: found - with_ours[name] for name, found in without.items()
             if not found <= with_ours[name]}, {})
        ours = {name for name, found in with_ours.items() if found - without[name]}
        # Whatever has others has ours, too.
        self.assertEqual({name for name, found in without.items() if found} - ours, set())
        for name in (
            "application/gzip", "application/json", "application/vnd.apple.pages",
            "application/vnd.oasis.opendocument.text", "application/vnd.sqlite3",
            "application/x-cd-image", "application/xml", "application/gpx+xml", "audio/mpeg",
            "font/otf", "image/jpeg", "image/svg+xml", "image/x-xcf", "inode/directory",
            "text/plain", "text/x-c++src", "video/mp4",
        ):
            self.assertIn(name, ours)

    def test_application_is_named_as_on_the_page(self) -> None:
        session.recorder("org.example.named", "Named")
        for options, name in (
            (("-i", "org.example.a", "--app-name", "An Editor"), "An Editor"),
            (("-i", "org.example.named"), "Named"), (("-i", "org.example.odd"), "org.example.odd"),
            (("--app-name", "Odd\u202e"), "Odd\\u{202e}"),
        ):
            found = self.extracted(tagged("generated.txt", "--replace", *options))
            self.assertIn(name.encode("utf-16-be"), found)

    def test_other_extractors_keep_what_they_find(self) -> None:
        path = session.file("documents/both.odt", documents.content_of("libreoffice.odt"))
        session.docsource("tag", "-q", "-i", "org.example.a", "--app-name", "An Editor", path)
        found = self.extracted(path)
        for name in "An Editor", "LibreOffice/7.4.7.2":
            self.assertIn(name.encode("utf-16-be"), found)

    def test_files_without_an_application_have_no_generator(self) -> None:
        nothing = self.extracted(session.file("documents/nothing.txt"))
        self.assertNotIn("Working Copy".encode("utf-16-be"), nothing)
        damaged = session.file("documents/damaged.txt")
        os.setxattr(damaged, ATTRIBUTE, b"bplist00nonsense")
        for path in damaged, f"{FOLDER}/missing.txt":
            self.assertEqual(self.extracted(path), nothing)

    def test_panel_and_tooltip_name_the_application(self) -> None:
        # Words that are easily seen: Qt tells assistive technology nothing here.
        name = " ".join(["\u2588" * 4] * 10)
        path = session.file("generated/seen.txt")
        session.docsource("tag", "-q", "-i", "org.example.seen", "--app-name", name, path)
        session.file("generated/plain.txt")
        session.file(".config/dolphinrc", b"[General]\nShowToolTips=true\n")
        self.addCleanup(os.unlink, f"{session.home}/.config/dolphinrc")
        type(self).log = f"{session.kept}/dolphin-generator.txt"
        dolphin = session.start_needed(
            ["dolphin", "--new-window", os.path.dirname(path)], "dolphin-generator", {
                "QT_PLUGIN_PATH": PLUGINS, "QT_LOGGING_RULES": "docsource.dolphin.debug=true",
                "XDG_CURRENT_DESKTOP": "KDE"})
        self.addCleanup(session.end, dolphin)
        wait(lambda: self.reported("emblem"), "the emblem")
        windows.fill_screen("generated")
        screen.settle()
        picture = f"{session.kept}/dolphin-generator.png"
        screen.photograph(picture)
        place = next(screen.pixels(picture, (0, 0, 1280, 800), BLUE))

        def hover() -> None:
            session.run("xdotool", "mousemove", "1270", "400")
            screen.settle()
            session.run("xdotool", "mousemove", *map(str, place))

        def select(name: str) -> None:
            windows.focus("generated")
            subprocess.run(["xdotool", "type", "--delay", "60", name], check=True)

        before = self.dark()
        screen.act_until(lambda: self.dark() > before + 2000, hover, "the name in the tooltip")
        screen.photograph(f"{session.kept}/dolphin-generator-tooltip.png")
        session.run("xdotool", "mousemove", "1270", "400")
        wait(lambda: self.dark() < before + 2000, "the tooltip to be gone")
        select("seen")
        screen.press("F11")
        wait(lambda: self.dark() > before + 2000, "the name in the panel")
        screen.photograph(f"{session.kept}/dolphin-generator-panel.png")
        screen.settle()
        select("plain")
        wait(lambda: self.dark() < before + 2000, "the panel of a file without a source")

    @staticmethod
    def dark() -> int:
        picture = f"{session.kept}/dolphin-dark-pixels.png"
        screen.photograph(picture)
        return screen.count_pixels(picture, (0, 0, 1279, 799), (0, 0, 0))

    def test_baloo_finds_files_by_application(self) -> None:
        settings = session.file(
            ".config/baloofilerc",
            f"[Basic Settings]\nIndexing-Enabled=true\n[General]\nfolders[$e]={session.home}/indexed/\n"
            "only basic indexing=false\n".encode())
        self.addCleanup(os.unlink, settings)
        path, later = session.file("indexed/letter.txt"), session.file("elsewhere/letter.txt")
        session.docsource(
            "tag", "-q", "-i", WORKING_COPY, "--app-name", "Working Copy", path, later)
        session.file("indexed/plain.txt")
        indexer = session.start("baloo_file", "baloo", {"QT_PLUGIN_PATH": PLUGINS})
        self.addCleanup(session.end, indexer)

        def found() -> List[str]:
            return sorted(session.run(
                "baloosearch", "generator:working", stderr=subprocess.DEVNULL).split())

        wait(lambda: found() == [path], "the file to be found")
        session.run("balooctl", "index", later, env={**os.environ, "QT_PLUGIN_PATH": PLUGINS})
        self.assertEqual(found(), [later, path])


@unittest.skipIf(needed(), needed())
class WorkerTests(DolphinWindow):
    """`source:/`, by what its worker lists and what Dolphin opens of that."""

    def test_files_are_listed_below_their_applications(self) -> None:
        session.file(".config/user-dirs.dirs", b'XDG_DOCUMENTS_DIR="$HOME/sorted"\n')
        self.addCleanup(os.unlink, f"{session.home}/.config/user-dirs.dirs")
        for name in "sorted/letter.txt", "sorted/below/letter.txt", "sorted/.hidden/a.txt", "b.txt":
            session.docsource(
                "tag", "-q", "-i", WORKING_COPY, "--app-name", "Working Copy", session.file(name))
        session.docsource("tag", "-q", "--app-name", "../Odd\u202e", session.file("sorted/odd.txt"))
        session.file("sorted/plain.txt")
        record = session.recorder("org.example.receiver", "Receiver")
        session.file(
            ".config/mimeapps.list",
            b"[Default Applications]\ntext/plain=org.example.receiver.desktop\n")
        type(self).log = f"{session.kept}/dolphin-worker.txt"
        dolphin = session.start_needed(["dolphin", "--new-window", "source:/"], "dolphin-worker", {
            "QT_PLUGIN_PATH": PLUGINS, "QT_LOGGING_RULES": "docsource.dolphin.debug=true",
            "XDG_CURRENT_DESKTOP": "KDE", "KDE_FORK_SLAVES": "1"})
        self.addCleanup(session.end, dolphin)
        folders = [("_..\u2044Odd\\u202E", "../Odd\\\\u{202e}"), (WORKING_COPY, "Working Copy")]
        wait(lambda: self.reported("listed"), "the applications")
        screen.settle()
        screen.photograph(f"{session.kept}/dolphin-worker.png")
        self.assertEqual(self.reported("listed"), folders)
        windows.focus("source:")
        subprocess.run(["xdotool", "type", "--delay", "60", "working"], check=True)
        screen.settle()
        screen.press("Return")
        wait(lambda: len(self.reported("listed")) > 2, "the files")
        screen.settle()
        screen.photograph(f"{session.kept}/dolphin-worker-files.png")
        self.assertEqual(self.reported("listed")[2:], [
            ("letter (2).txt", f"{session.home}/sorted/letter.txt"),
            ("letter.txt", f"{session.home}/sorted/below/letter.txt")])
        subprocess.run(["xdotool", "type", "--delay", "60", "letter.txt"], check=True)
        screen.settle()
        screen.press("Return")
        wait(lambda: os.path.exists(record) and os.path.getsize(record), "the application")
        with open(record, encoding="utf-8") as words:
            self.assertEqual(words.read(), f"{session.home}/sorted/below/letter.txt\n")
        with open(self.log, encoding="utf-8", errors="replace") as log:
            self.assertEqual([line for line in log if "Please fix" in line], [])


if __name__ == "__main__":
    session.accounts["windows"] = windows.account
    evidence.run_tests(session.accounts)
