"""Applications whose name the process alone does not tell, or tells wrongly."""

import os, subprocess, zipfile

from desktop_session import wait
from watch_session import expect, expect_source, source


def take_a_screenshot(session, docsource):
    """Its desktop entry has another option."""
    path = f"{session.home}/Documents/shot.png"
    session.start("gnome-screenshot", "-f", path)
    expect_source(docsource, path, identifier="org.gnome.Screenshot", name="Screenshot",
           path="Documents/shot.png")


def export_with_gimp(session, docsource):
    """A plug-in of its own writes the file, and ends."""
    for number in range(3):
        path = f"{session.home}/Documents/picture{number}.png"
        program = (
            "(let* ((image (car (gimp-image-new 64 64 RGB)))"
            " (layer (car (gimp-layer-new image 64 64 RGB-IMAGE \"l\" 100 LAYER-MODE-NORMAL))))"
            " (gimp-image-insert-layer image layer 0 0)"
            f" (file-png-save RUN-NONINTERACTIVE image layer \"{path}\" \"p\" 0 9 0 0 0 0 0))")
        gimp = session.start("gimp", "-i", "-d", "-f", "-b", program, "-b", "(gimp-quit 0)")
        assert gimp.wait(120) == 0, "GIMP ends badly"
        expect_source(docsource, path, identifier="gimp", name="GNU Image Manipulation Program",
               path=f"Documents/picture{number}.png")


def pack_and_unpack_with_file_roller(session, docsource):
    """It makes archives, by itself and by others, and copies what is in them."""
    os.makedirs(f"{session.home}/packed")
    with open(f"{session.home}/packed/letter.txt", "w") as letter:
        letter.write("A letter.")
    for name in "new.tar.gz", "new.zip", "new.7z":
        path = f"{session.home}/Documents/{name}"
        session.start("file-roller", f"--add-to={path}", f"{session.home}/packed/letter.txt")
        expect_source(docsource, path, identifier="org.gnome.FileRoller", name="Archive Manager",
               path=f"Documents/{name}")
    subprocess.run(["tar", "-C", session.home, "-czf", f"{session.home}/old.tar.gz", "packed"],
                   check=True)
    with zipfile.ZipFile(f"{session.home}/old.zip", "w") as archive:
        archive.write(f"{session.home}/packed/letter.txt", "letter.txt")
    for archive, name in ("old.tar.gz", "packed/letter.txt"), ("old.zip", "letter.txt"):
        directory = f"{session.home}/Documents/from-{archive}"
        os.makedirs(directory)
        session.start("file-roller", f"--extract-to={directory}", f"{session.home}/{archive}")
        expect(session.event(f"{directory}/{name}"), event="none", reason="copier")


# Another program's Python has `uno`; it says when there is nobody to listen yet.
_SAVE = """
import sys, time, uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
context = uno.getComponentContext()
resolver = context.ServiceManager.createInstanceWithContext(
    "com.sun.star.bridge.UnoUrlResolver", context)
for turn in range(300):
    try:
        office = resolver.resolve(f"uno:pipe,name={sys.argv[1]};urp;StarOffice.ComponentContext")
        break
    except NoConnectException:
        time.sleep(0.2)
desktop = office.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", office)
for kind, path, filter in zip(sys.argv[2::3], sys.argv[3::3], sys.argv[4::3]):
    if kind == "old":
        document = desktop.loadComponentFromURL("file://" + path, "_blank", 0, ())
        document.Text.String = "Another letter."
        document.store()
    else:
        document = desktop.loadComponentFromURL("private:factory/" + kind, "_blank", 0, ())
        document.storeToURL("file://" + path, (PropertyValue("FilterName", 0, filter, 0),))
    document.close(True)
desktop.terminate()
"""


def save_with_libreoffice(session, name, *documents, options=()):
    """Has LibreOffice save documents: a kind, a path and a filter each."""
    session.start("soffice", "--headless", "--norestore", f"--accept=pipe,name={name};urp",
                  f"-env:UserInstallation=file://{session.home}/.config/office", *options)
    saving = session.start("/usr/bin/python3", "-c", _SAVE, name,
                           *(word for document in documents for word in document))
    assert saving.wait(120) == 0, f"{name} saves nothing"


def save_with_each_part_of_libreoffice(session, docsource):
    """All are one process, which may have been started for another part, or for none."""
    for name, options in ("whole", []), ("writer", ["--writer"]):
        text, sheet, book, report = (
            f"{session.home}/Documents/{name}.{ending}" for ending in ("odt", "ods", "xlsx", "pdf"))
        save_with_libreoffice(
            session, name, ("swriter", text, "writer8"), ("scalc", sheet, "calc8"),
            ("scalc", book, "Calc MS Excel 2007 XML"), ("swriter", report, "writer_pdf_Export"),
            options=options)
        parts = {text: "writer", sheet: "calc", book: "calc",
                 report: "writer" if options else "startcenter"}
        for path, part in parts.items():
            expect_source(docsource, path, identifier=f"libreoffice-{part}")


def start_by_wrappers(session, docsource):
    """Scripts in /usr/bin start what is in /usr/lib; both write into their profiles."""
    profile = f"{session.home}/Documents/chromium"
    session.start("chromium", "--no-sandbox", "--no-first-run", f"--user-data-dir={profile}",
                  "about:blank")
    expect_source(docsource, f"{profile}/Local State", identifier="chromium",
           name="Chromium Web Browser")
    profile = f"{session.home}/Documents/thunderbird"
    os.makedirs(profile)
    session.start("thunderbird", "-profile", profile)
    expect_source(docsource, f"{profile}/prefs.js", identifier="thunderbird", name="Thunderbird")


def build_with_geany(session, docsource):
    """What make has others write is not the editor's."""
    directory = f"{session.home}/Documents/project"
    os.makedirs(directory)
    path = f"{directory}/made.txt"
    with open(f"{directory}/Makefile", "w") as rules:
        rules.write("all:\n\tpython3 -c 'open(\"made.txt\", \"w\").write(\"made\"); "
                    "import time; time.sleep(1)'\n")
    with open(f"{directory}/main.c", "w") as program:
        program.write("int main(void) { return 0; }\n")
    session.start("geany", "--new-instance", "--no-session", "--no-msgwin", f"{directory}/main.c")
    session.window("Geany")

    def made():
        session.focus("Geany")
        session.press("shift+F9")
        return session.has_event(path)

    wait(made, path)
    expect(session.event(path), event="none", reason="compiler")


def save_by_itself_with_emacs(session, docsource):
    """Its auto-saved files are no documents."""
    path, other = (f"{session.home}/Documents/{name}.txt" for name in ("em", "other"))
    session.start(
        "emacs", "-Q", "--eval", f'(progn (find-file "{path}") (insert "text") (do-auto-save t)'
        f'(write-region "text" nil "{other}") (sleep-for 2) (set-buffer-modified-p nil)'
        '(kill-emacs))')
    expect_source(docsource, other, identifier="emacs")
    saved = f"{session.home}/Documents/#em.txt#"
    assert os.path.exists(saved), f"{saved} is not there"
    assert source(docsource, saved) is None, f"{saved} has a source"
