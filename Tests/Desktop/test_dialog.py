"""The windows of docsource-dialog, in a session of its own.

DESKTOP_INSTALLED names where docsource is installed, DESKTOP_KEPT where screenshots and logs go.
"""

import os
import shutil
import subprocess
import unittest
from typing import Dict, List, Optional

import glance
import windows
from desktop_session import PATIENCE, DesktopSession, wait

session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

import screen  # noqa: E402 (it takes the session's bus)

PROGRAM = f"{session.prefix}/libexec/docsource/docsource-dialog"
VERSIONS = "3.0", "4.0"


TITLE = "Tag with Application"
SETTINGS = f"{session.home}/.config/docsource/file-managers.json"


def setUpModule() -> None:
    # Dialogs get the keys by a window manager only.
    session.start(["openbox"], "openbox")
    session.file(
        ".local/share/applications/org.example.texts.desktop",
        b"[Desktop Entry]\nType=Application\nName=Texts\nName[de]=Schreibzeug\nExec=true\n")
    session.file(
        ".local/share/applications/org.example.panel.desktop",
        b"[Desktop Entry]\nType=Application\nName=Panel\nExec=true\nCategories=GTK;Settings;\n")
    session.file(
        ".local/share/applications/org.example.packer.desktop",
        b"[Desktop Entry]\nType=Application\nName=Packer\nExec=true\nCategories=Archiving;\n")
    for number, program in enumerate(("first", "second"), 1):
        path = session.file(program, b"#!/bin/sh\n")
        os.chmod(path, 0o755)
        session.file(
            f".local/share/applications/org.example.twin{number}.desktop",
            f"[Desktop Entry]\nType=Application\nName=Twin\nExec={path}\n".encode())


def ask_no_more() -> None:
    session.file(".config/docsource/file-managers.json", b'{"askBeforeRemoving": false}')


def rows() -> List[str]:
    """What assistive technology reads out of the list of applications."""
    return [seen.name for seen in glance.all_parts() if seen.role == "list item"]


def focused_row() -> Optional[str]:
    return next((
        seen.name for seen in glance.all_parts() if seen.role == "list item" and seen.is_focused),
        None)


def type_text(text: str) -> None:
    """Types it in place of what stands in the search field."""
    screen.press("ctrl+a")
    subprocess.run(["xdotool", "type", "--delay", "40", text], check=True)


def windows_of_dialog() -> List[str]:
    return windows.titled(f"^{TITLE}$")


def property_of(window: str, name: str) -> str:
    return session.run("xprop", "-id", window, name).partition("# ")[2].strip() \
        or session.run("xprop", "-id", window, name).partition("= ")[2].strip()


class DialogTests(unittest.TestCase):
    maxDiff = None
    environment: Dict[str, str] = {}
    process: Optional[subprocess.Popen] = None

    def start(self, *words: str, files: bytes = b"", path: Optional[str] = None) -> None:
        environment = {**os.environ, **({"PATH": path} if path else {}), **self.environment}
        if self.process is not None:
            self.process.kill()  # of a part of the test that has failed
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-B", PROGRAM, *words], stdin=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment)
        self.addCleanup(self.process.kill)
        self.process.stdin.write(files)
        self.process.stdin.close()

    def ended(self) -> str:
        """What it has said; its status is asserted on by `process.returncode`."""
        with self.process.stderr as errors:
            said = errors.read().decode()
        self.process.wait(PATIENCE)
        return "".join(
            line for line in said.splitlines(True) if line.startswith("docsource: "))

    def push(self, label: str) -> None:
        glance.push(label)

    def close_error(self, title: str, lines: str, label: str = "Close") -> None:
        """Sees that a window says something, and closes it."""
        glance.wait_for(title)
        glance.wait_for(lines)
        screen.photograph(f"{session.kept}/dialog-{self.id().rsplit('.')[-1]}.png")
        self.push(label)

    def test_what_was_not_removed_is_shown(self) -> None:
        reason = "The file does not exist"
        ask_no_more()
        self.addCleanup(os.unlink, SETTINGS)
        gone = [f"{session.home}/missing{number}\x1b" for number in range(12)]
        here = session.file("here.txt")
        said = [f"{session.home}/missing{number}\\x1b: {reason}" for number in range(12)]
        for version in VERSIONS:
            with self.subTest(version):
                session.docsource("tag", "-q", "-i", "a.b", here)
                self.start(
                    "remove", f"--gtk={version}",
                    files=b"".join(os.fsencode(file) + b"\0" for file in [*gone, here]))
                self.close_error("The sources of 12 files could not be removed", reason)
                self.assertEqual(self.ended(), "".join(f"docsource: {line}\n" for line in said))
                self.assertEqual(self.process.returncode, 2)
                self.assertIsNone(self.identifier(here))

    def test_missing_files_are_said_to_be_missing(self) -> None:
        gone = f"{session.home}/gone.txt"
        here = session.file("here.txt")
        for version in VERSIONS:
            for verb in "tag", "remove", "share", "open":
                with self.subTest(version, verb=verb):
                    self.start(verb, f"--gtk={version}", gone)
                    self.close_error(
                        "“gone.txt” does not exist",
                        "It may have been renamed, moved or deleted.")
                    self.assertEqual(
                        self.ended(), f"docsource: {gone}: The file does not exist\n")
                    self.assertEqual(self.process.returncode, 2)
            # The one that is there is not shared without the others.
            self.start("share", f"--gtk={version}", here, gone, f"{gone}.bak")
            self.close_error(
                "2 files do not exist", "They may have been renamed, moved or deleted.")
            self.ended()
        self.environment = {"LANGUAGE": "zh_CN"}
        self.start("share", gone)
        glance.wait_for("“gone.txt”不存在")
        glance.wait_for("它可能已被重命名、移动或删除。")
        screen.photograph(f"{session.kept}/dialog-missing-chinese.png")
        screen.press("Escape")
        self.ended()

    def test_folder_is_chosen_where_none_is_for_downloads(self) -> None:
        folder = f"{session.home}/chosen folder"
        os.makedirs(folder, exist_ok=True)
        for version in VERSIONS:
            for answer in "Escape", "Return":
                with self.subTest(version, answer=answer):
                    file = session.file(f"saved-{version}.txt")
                    self.start("share", f"--gtk={version}", file)
                    wait(rows, "the list")
                    screen.act_until(
                        lambda: len(rows()) == 1, lambda: type_text("save"), "the list to narrow")
                    screen.press("Return")
                    wait(lambda: windows.titled("^Choose a Folder to Save In$"), "the chooser")
                    screen.settle(1)
                    screen.photograph(f"{session.kept}/dialog-folder-{version}-{answer}.png")
                    if answer == "Return":
                        subprocess.run(
                            ["xdotool", "type", "--delay", "40", f"{folder}"], check=True)
                        screen.settle(1)
                        screen.press("Return")
                        screen.settle(1)
                        if windows.titled("^Choose a Folder to Save In$"):
                            self.push("Save")
                    else:
                        screen.press(answer)
                    self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                    self.assertEqual(
                        os.path.exists(f"{folder}/saved-{version}.txt"), answer == "Return")

    def test_what_was_not_tagged_is_shown(self) -> None:
        file = "/proc/self/status"
        reason = "This file, or its file system, cannot store a source"
        for version in VERSIONS:
            with self.subTest(version):
                self.start("tag", f"--gtk={version}", file)
                glance.wait_for("com.appliedphasor.working-copy")
                self.push("Tag")
                self.close_error("“status” could not be tagged", reason)
                self.assertEqual(self.ended(), f"docsource: {file}: {reason}\n")
                self.assertEqual(self.process.returncode, 2)

    def test_giving_up_tags_nothing(self) -> None:
        file = session.file("untagged.txt")
        for version in VERSIONS:
            with self.subTest(version):
                self.start("tag", f"--gtk={version}", file)
                glance.wait_for("untagged.txt")
                self.push("Cancel")
                self.assertEqual(self.ended(), "")
                self.assertEqual((self.process.returncode, os.listxattr(file)), (0, []))

    def open(self, version: str, *words: str) -> List[str]:
        """Opens the dialog for choosing, and returns the rows of its list."""
        self.start("tag", f"--gtk={version}", *words)
        wait(rows, "the list")
        wait(windows_of_dialog, "the window")
        screen.settle(0.5)
        return rows()

    def identifier(self, file: str) -> Optional[str]:
        show = subprocess.run(
            [f"{session.prefix}/bin/docsource", "show", "--field", "identifier", file],
            stdout=subprocess.PIPE, text=True)
        return show.stdout.strip() or None

    def test_arrows_move_the_selection_and_the_keys(self) -> None:
        for version in VERSIONS:
            with self.subTest(version):
                file = session.file(f"arrows-{version}.txt")
                listed = self.open(version, file)
                screen.press("Down")
                wait(lambda: focused_row() == listed[1], f"{listed[1]} to have the keys")
                screen.press("Down", "Up")
                wait(lambda: focused_row() == listed[1], f"{listed[1]} to have the keys again")
                screen.photograph(f"{session.kept}/dialog-arrows-{version}.png")
                screen.press("Return")
                self.assertEqual(self.ended(), "")
                self.assertEqual(self.identifier(file), listed[1].rpartition(", ")[2])

    def test_escape_closes_the_dialog(self) -> None:
        file = session.file("escaped.txt")
        for version in VERSIONS:
            for keys in [], ["t", "e", "x"], ["Down"]:
                with self.subTest(version, keys=keys):
                    self.open(version, file)
                    if keys:
                        screen.press(*keys)
                        screen.settle(0.5)
                    screen.press("Escape")
                    self.assertEqual(self.ended(), "")
                    self.assertEqual((self.process.returncode, os.listxattr(file)), (0, []))

    def test_present_and_recent_applications_stand_first(self) -> None:
        file = session.file("present.txt")
        session.docsource("tag", "-q", "-i", "org.example.here", "--app-name", "Here", file)
        session.file(
            ".local/state/docsource/recent-applications",
            b'{"identifier": "org.example.texts", "name": "Texts"}\n')
        for version in VERSIONS:
            with self.subTest(version):
                listed = self.open(version, file)
                self.assertEqual(
                    listed[:2], ["Here, org.example.here", "Texts, org.example.texts"])
                self.assertEqual(len(listed), len(set(listed)))
                # They write no documents.
                for name in "Panel, org.example.panel", "Packer, org.example.packer":
                    self.assertNotIn(name, listed)
                for name in "Twin (first), org.example.twin1", "Twin (second), org.example.twin2":
                    self.assertIn(name, listed)
                screen.photograph(f"{session.kept}/dialog-groups-{version}.png")
                # The present one would change nothing.
                screen.press("Return")
                self.assertEqual(self.ended(), "")
                self.assertEqual(self.identifier(file), "org.example.texts")
                session.docsource(
                    "tag", "-q", "-i", "org.example.here", "--app-name", "Here", file)

    def test_last_change_is_undone_by_the_dialog(self) -> None:
        files = [session.file(f"undone-{number}.txt") for number in range(3)]
        for file in files[:2]:
            session.docsource("tag", "-q", "-i", "org.example.a", "--app-name", "First", file)
        before = [self.identifier(file) for file in files]
        sources = "First: 2 files\n(no source): 1 file"
        for version in VERSIONS:
            with self.subTest(version):
                self.open(version, *files)
                glance.wait_for(sources, "label")
                self.assertIsNone(glance.named("Undo", "push button"))
                screen.act_until(
                    lambda: len(rows()) == 1, lambda: type_text("org.example.texts"), "one row")
                screen.press("Return")
                self.assertEqual(self.ended(), "")
                self.assertEqual(
                    [self.identifier(file) for file in files], ["org.example.texts"] * 3)
                self.open(version, *files)
                glance.wait_for("3 files were tagged with “Texts”", "label")
                screen.photograph(f"{session.kept}/dialog-undo-{version}.png")
                screen.press("shift+Tab")
                screen.press("Return")
                self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                self.assertEqual([self.identifier(file) for file in files], before)
                self.start("remove", f"--gtk={version}", *files)
                glance.wait_for(
                    f"{sources}\n“Tag with Application” can undo this until you log out.",
                    "label")
                screen.photograph(f"{session.kept}/dialog-remove-groups-{version}.png")
                self.push("Remove")
                self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                self.assertEqual([self.identifier(file) for file in files], [None] * 3)
                self.open(version, *files)
                glance.wait_for("The sources of 2 files were removed", "label")
                self.push("Undo")
                self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                self.assertEqual([self.identifier(file) for file in files], before)
        for language, done in ("de", "Die Quellen von 2 Dateien wurden entfernt"), \
                ("zh_CN", "已移除 2 个文件的来源"):
            with self.subTest(language):
                ask_no_more()
                self.start("remove", *files)
                self.assertEqual(self.ended(), "")
                os.unlink(SETTINGS)
                self.environment = {"LANGUAGE": language}
                self.start("tag", *files)
                glance.wait_for(done, "label")
                screen.settle(0.5)
                screen.photograph(f"{session.kept}/dialog-undo-{language}.png")
                self.push({"de": "Rückgängig", "zh_CN": "撤销"}[language])
                self.assertEqual(self.ended(), "")
                self.environment = {}
                self.assertEqual([self.identifier(file) for file in files], before)

    def test_nothing_is_selected_that_changes_nothing(self) -> None:
        file = session.file("same.txt")
        session.docsource("tag", "-q", "-i", "org.example.same", "--app-name", "Same", file)
        before = os.getxattr(file, "user.x-document-source")
        for version in VERSIONS:
            with self.subTest(version):
                self.open(version, file)
                screen.act_until(
                    lambda: rows() == ["Same, org.example.same"],
                    lambda: type_text("org.example.same"), "the list to narrow")
                screen.press("Return")
                screen.settle(0.5)
                self.assertEqual(rows(), ["Same, org.example.same"], "the dialog is there")
                screen.photograph(f"{session.kept}/dialog-same-{version}.png")
                # Whoever wants it can choose it.
                screen.press("Down")
                wait(lambda: focused_row(), "the row to have the keys")
                screen.press("Return")
                self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                self.assertEqual(os.getxattr(file, "user.x-document-source"), before)

    def test_what_no_application_is_called_can_be_the_identifier(self) -> None:
        for version in VERSIONS:
            with self.subTest(version):
                file = session.file(f"typed-{version}.txt")
                typed = f"no.such.app{version[0]}"  # what was used stands among the recent ones
                self.open(version, file)
                offer = [f"Use “{typed}” as identifier"]
                screen.act_until(
                    lambda: rows() == offer, lambda: type_text(typed),
                    "the offer")
                glance.wait_for(
                    f"No application has “{typed}” in its name or identifier", "label")
                screen.photograph(f"{session.kept}/dialog-empty-{version}.png")
                screen.press("Return")
                self.assertEqual(self.ended(), "")
                self.assertEqual(self.identifier(file), typed)

    def test_every_part_has_a_name(self) -> None:
        for version in VERSIONS:
            with self.subTest(version):
                self.open(version, session.file("named.txt"))
                found = {}
                for seen in glance.all_parts():
                    if seen.role in (
                            "push button", "list", "list box", "list item", "text", "entry"):
                        found.setdefault(seen.role, []).append(seen.name)
                for role, names in found.items():
                    for name in names:
                        self.assertTrue(name and not name.startswith("Gtk"), (role, names))
                # Without the marks of their keys.
                buttons = found["push button"]
                self.assertTrue({"Cancel", "Tag"} <= set(buttons), buttons)
                self.assertFalse([name for name in buttons if "_" in name], buttons)
                self.assertIn("Search for an application", sum(found.values(), []))
                self.assertIn("Applications", sum(found.values(), []))
                screen.press("Escape")
                self.ended()

    def test_tab_enters_the_list_once(self) -> None:
        def focused() -> List[str]:
            return [seen.name for seen in glance.all_parts() if seen.is_focused and (
                seen.role in ("list item", "push button", "text", "entry"))]

        for version in VERSIONS:
            with self.subTest(version):
                listed = self.open(version, session.file("tabs.txt"))
                for key, name in (
                    ("Tab", listed[0]), ("Tab", "Cancel"), ("Tab", "Tag"),
                    ("Tab", "Search for an application"), ("shift+Tab", "Tag"),
                    ("shift+Tab", "Cancel"), ("shift+Tab", listed[0]), ("Down", listed[1]),
                    ("Tab", "Cancel"), ("shift+Tab", listed[1]),
                    ("shift+Tab", "Search for an application"),
                ):
                    screen.press(key)
                    wait(lambda: name in focused() or (
                        # Of GTK 4, the text in the field has no name of its own.
                        name.startswith("Search") and not any(focused())),
                        f"{name!r} to have the keys by {key}")
                screen.press("Escape")
                self.ended()

    def test_windows_are_those_of_the_application(self) -> None:
        share = f"{session.prefix}/share"
        with open(f"{share}/applications/org.docsource.Dialog.desktop", encoding="utf-8") as file:
            self.assertIn("\nIcon=org.docsource.Dialog\n", file.read())
        for name in "org.docsource.Dialog", "org.docsource.Dialog-symbolic":
            self.assertTrue(os.path.exists(f"{share}/icons/hicolor/scalable/apps/{name}.svg"))
        for version in VERSIONS:
            with self.subTest(version):
                self.open(version, session.file("class.txt"))
                self.assertIn(
                    "org.docsource.Dialog", property_of(windows_of_dialog()[0], "WM_CLASS"))
                screen.press("Escape")
                self.ended()

    def test_plain_gtk_does_without_libadwaita(self) -> None:
        session.file("plain/sitecustomize.py", b"""import gi
require = gi.require_version

def refuse(name, version):
    if name == "Adw":
        raise ValueError
    require(name, version)

gi.require_version = refuse
""")
        self.environment = {
            "PYTHONPATH": f"{session.home}/plain:{os.environ['PYTHONPATH']}"}
        for verb in "share", "tag":
            file = session.file(f"plain-{verb}.txt")
            self.start(verb, "--gtk=4.0", file)
            wait(rows, "the list")
            screen.settle(0.5)
            screen.photograph(f"{session.kept}/dialog-plain-{verb}.png")
            if verb == "share":
                screen.press("Escape")
            else:
                screen.act_until(
                    lambda: len(rows()) == 1, lambda: type_text("org.example.texts"), "one row")
                screen.press("Return")
            self.assertEqual((self.ended(), self.process.returncode), ("", 0))
        self.assertEqual(self.identifier(file), "org.example.texts")

    def test_dialog_stands_on_its_parent_and_is_dark_as_that_is(self) -> None:
        for version in VERSIONS:
            with self.subTest(version):
                parent = subprocess.Popen(["xmessage", "-geometry", "700x600+300+90", "parent"])
                self.addCleanup(parent.kill)
                place = wait(lambda: windows.titled("^xmessage$"), "the parent")[0]
                screen.settle()
                self.open(
                    version, f"--parent=x11:{int(place):x}", "--dark", session.file("dark.txt"))
                dialog = windows_of_dialog()[0]
                self.assertEqual(
                    int(property_of(dialog, "WM_TRANSIENT_FOR").split()[-1], 16), int(place))
                self.assertIn("DIALOG", property_of(dialog, "_NET_WM_WINDOW_TYPE"))
                centres = []
                for window in place, dialog:
                    left, top, width, height = windows.place_of(window)
                    centres.append((left + width // 2, top + height // 2))
                for one, other in zip(*centres):
                    self.assertLess(abs(one - other), 40, centres)
                picture = f"{session.kept}/dialog-dark-{version}.png"
                screen.photograph(picture)
                self.assertLess(screen.brightness(picture, windows.place_of(dialog)), 0.4)
                screen.press("Escape")
                self.ended()
                parent.kill()

    def test_removing_asks_until_it_is_not_to(self) -> None:
        for version in VERSIONS:
            with self.subTest(version):
                file = session.file(f"asked-{version}.txt")
                session.docsource("tag", "-q", "-i", "a.b", file)
                for answer in "Cancel", "Escape":
                    self.start("remove", f"--gtk={version}", file)
                    glance.wait_for(f"Remove the source of “asked-{version}.txt”?", "label")
                    screen.settle(0.5)
                    if answer == "Cancel":
                        self.push(answer)
                    else:
                        screen.press(answer)
                    self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                    self.assertEqual(self.identifier(file), "a.b")
                self.start("remove", f"--gtk={version}", file)
                glance.wait_for(f"Remove the source of “asked-{version}.txt”?", "label")
                screen.settle(0.5)
                screen.press("alt+d")
                screen.settle(0.5)
                screen.photograph(f"{session.kept}/dialog-asking-{version}.png")
                self.push("Remove")
                self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                self.assertIsNone(self.identifier(file))
                session.docsource("tag", "-q", "-i", "a.b", file)
                self.start("remove", f"--gtk={version}", file)
                self.assertEqual((self.ended(), self.process.wait()), ("", 0))
                self.assertIsNone(self.identifier(file))
                os.unlink(SETTINGS)

    def test_texts_and_names_are_in_the_users_language(self) -> None:
        self.environment = {"LANGUAGE": "de"}
        file = session.file("german.txt")
        self.start("tag", file)
        wait(lambda: "Schreibzeug, org.example.texts" in rows(), "the German name")
        screen.act_until(
            lambda: rows() == ["Schreibzeug, org.example.texts"],
            lambda: type_text("schreib"), "the list to narrow")
        screen.press("Return")
        self.assertEqual(self.ended(), "")
        self.assertIn("Application  Texts\n", session.docsource("show", file))
        self.start("tag", "--gtk=3.0", "/proc/self/status")
        wait(rows, "the list")
        screen.settle(0.5)
        screen.press("Return")
        self.close_error(
            "„status“ konnte nicht gekennzeichnet werden",
            "Diese Datei oder ihr Dateisystem kann keine Quelle speichern",
            "Schließen")

    def test_share_has_applications_then_actions_in_the_users_language(self) -> None:
        session.file(
            ".local/share/applications/org.example.plain.desktop",
            b"[Desktop Entry]\nType=Application\nName=Plain Reader\nExec=true %F\n"
            b"MimeType=text/plain;x-scheme-handler/mailto;\n")
        subprocess.run(
            ["update-desktop-database", f"{session.home}/.local/share/applications"], check=True)
        for language, said in {
            "en": ("Plain Reader, Usually opens plain text documents",
                   "Mail, Put into a new message", "Copy, Put on the clipboard",
                   "Print, Print on the default printer"),
            "de": ("Plain Reader, Öffnet normalerweise einfache Textdokumente",
                   "E-Mail, In eine neue Nachricht einfügen",
                   "Kopieren, In die Zwischenablage legen",
                   "Drucken, Auf dem Standarddrucker drucken"),
            "zh_CN": ("Plain Reader, 通常用来打开纯文本文档", "邮件, 放入新邮件",
                      "复制, 放到剪贴板", "打印, 用默认打印机打印"),
        }.items():
            for version in VERSIONS:
                with self.subTest(version, language=language):
                    self.environment = {"LANGUAGE": language}
                    style = ["--dark"] if language == "de" else []
                    self.start("share", f"--gtk={version}", *style, session.file("shared.txt"))
                    listed = wait(rows, "the list")
                    screen.settle(0.5)
                    screen.photograph(f"{session.kept}/dialog-share-{language}-{version}.png")
                    reader, *actions = said
                    if not shutil.which("lp"):
                        self.assertNotIn(actions.pop(), listed)
                    self.assertEqual(
                        [row for row in listed if row in said], [reader, *actions])
                    # Of Thunar's menu, which has another Mail.
                    self.assertFalse([row for row in listed if row.startswith(
                        ("Mail Recipient", "E-Mail-Empfänger", "邮件收件人"))])
                    screen.press("Escape")
                    self.assertEqual(self.ended(), "")

    def test_picture_of_a_share_item_stands_beside_its_name(self) -> None:
        colour = 17, 201, 34
        picture, item = f"{session.home}/picture.png", f"{session.home}/pictured.xei"
        session.run("convert", "-size", "120x60", "xc:rgb(17,201,34)", picture)
        session.docsource(
            "item", "make", "--url=https://example.com/a", f"--thumbnail={picture}", "-o", item)
        for version in VERSIONS:
            def count(name: str) -> int:
                shown = f"{session.kept}/dialog-{name}-{version}.png"
                screen.photograph(shown)
                return screen.count_pixels(shown, (0, 0, 1280, 800), colour)

            with self.subTest(version):
                session.run("convert", "-size", "120x60", "xc:rgb(17,201,34)", picture)
                self.start("share", f"--gtk={version}", item)
                wait(rows, "the list")
                wait(lambda: count("thumbnail") == 96 * 48, "the picture")
                screen.press("Escape")
                self.assertEqual(self.ended(), "")
                os.unlink(picture)
                self.start("share", f"--gtk={version}", item)
                wait(rows, "the list without the picture")
                screen.settle(2)
                self.assertEqual(count("no-thumbnail"), 0)
                screen.press("Escape")
                self.assertEqual(self.ended(), "")

    def test_files_of_a_share_item_are_shown_before_they_are_shared(self) -> None:
        file, kept = session.file("named-by-item.txt"), f"{session.home}/kept"
        session.file(
            ".local/share/docsource/targets/keeper.target",
            f"[Share Target]\nName=Keeper\nExec=tee {kept}\n".encode())
        item = f"{session.home}/with-file.xei"
        session.docsource("item", "make", f"--file={file}", "-o", item)
        for version in VERSIONS:
            for answer in "Cancel", "Share":
                with self.subTest(f"{version} {answer}"):
                    self.start("share", f"--gtk={version}", item)
                    wait(rows, "the list")
                    screen.act_until(
                        lambda: len(rows()) == 1, lambda: type_text("keeper"), "the list to narrow")
                    screen.press("Return")
                    glance.wait_for("Share this with “Keeper”?", "label")
                    glance.wait_for(file, "label")
                    screen.settle(0.5)
                    screen.photograph(f"{session.kept}/dialog-item-{version}.png")
                    self.assertFalse(os.path.exists(kept))
                    self.push(answer)
                    self.assertEqual((self.ended(), self.process.returncode), ("", 0))
                    self.assertEqual(os.path.exists(kept), answer == "Share")
            os.unlink(kept)

    def test_without_the_list_of_applications_that_is_said(self) -> None:
        program = f"{session.prefix}/bin/docsource"
        os.rename(program, f"{program}.kept")
        self.addCleanup(lambda: os.replace(f"{program}.kept", program))
        said = "docsource cannot list the applications"
        for text in "#!/bin/sh\nexit 2\n", "#!/bin/sh\necho nonsense\n":
            with self.subTest(text):
                with open(program, "w", encoding="utf-8") as script:
                    script.write(text)
                os.chmod(program, 0o755)
                self.start("tag", session.file("letter.txt"))
                self.close_error(
                    said, "docsource is damaged or has another version; install it again")
                self.assertEqual(self.ended(), f"docsource: {said}\n")
                self.assertEqual(self.process.returncode, 2)

    def test_setting_that_cannot_be_changed_is_said(self) -> None:
        program = f"{session.prefix}/bin/docsource"
        os.rename(program, f"{program}.kept")
        self.addCleanup(lambda: os.replace(f"{program}.kept", program))
        for text, said in (("#!/bin/sh\necho first >&2\necho last >&2\nexit 2\n", "last"),
                           ("#!/bin/sh\nexit 2\n", "status 2")):
            for version in VERSIONS:
                with self.subTest(said, version=version):
                    with open(program, "w", encoding="utf-8") as script:
                        script.write(text)
                    os.chmod(program, 0o755)
                    self.start("watch", f"--gtk={version}")
                    glance.wait_for("Tag new documents automatically?", "label")
                    screen.settle(0.5)
                    self.push("Tag Automatically")
                    self.close_error(
                        "The setting could not be changed",
                        "The reason is in the log of your session, in English")
                    self.assertEqual(self.ended(), f"docsource: {said}\n")
                    self.assertEqual(self.process.returncode, 2)

    def test_switch_is_in_the_users_language(self) -> None:
        self.environment = {"LANGUAGE": "de"}
        self.start("watch")
        glance.wait_for("Neue Dokumente automatisch kennzeichnen?", "label")
        screen.settle(0.5)
        screen.photograph(f"{session.kept}/dialog-watching-german.png")
        screen.press("Escape")
        self.assertEqual((self.ended(), self.process.returncode), ("", 0))
        self.assertFalse(os.path.exists(f"{session.home}/.config/docsource/watch.json"))

    def test_removing_needs_no_display_if_it_asks_no_more(self) -> None:
        file = session.file("tagged.txt")
        session.docsource("tag", "-q", "-i", "a.b", file)
        display = os.environ.pop("DISPLAY")
        self.addCleanup(lambda: os.environ.update(DISPLAY=display))
        ask_no_more()
        self.addCleanup(os.unlink, SETTINGS)
        for files in f"{file}\0".encode(), b"":
            self.start("remove", files=files)
            self.assertEqual((self.ended(), self.process.wait()), ("", 0))
        self.assertEqual(os.listxattr(file), [])

    def test_wrong_command_lines_are_refused(self) -> None:
        for words in [], ["show"], ["tag", "--gtk=2.0"], ["remove", "-x"], \
                ["tag", "--parent=7"]:
            with self.subTest(words):
                self.start(*words)
                self.ended()
                self.assertEqual(self.process.returncode, 64)


if __name__ == "__main__":
    unittest.main(verbosity=2)
