"""Programs that save a document by a new file, which takes the place of the old one."""

import os, subprocess, time

from desktop_session import wait, wait_briefly
from watch_names import save_with_libreoffice
from watch_session import expect_source, source

_FIRST = {"identifier": "com.appliedphasor.working-copy", "name": "Working Copy"}


def tagged(session, docsource, name, text="A letter.\n"):
    """The path of a text with the source of another application, which does not write it again."""
    path = f"{session.home}/Documents/{name}"
    if not os.path.exists(path):
        with open(path, "w") as file:
            file.write(text)
        session.event(path)
    subprocess.run([docsource, "tag", "--identifier", _FIRST["identifier"], "--app-name",
                    _FIRST["name"], path], check=True, stdout=session.errors)
    return path


def received(session, docsource, name):
    """The path of a text that came from another application."""
    path = tagged(session, docsource, name)
    # It arrives once more, as what synchronizes files writes.
    with open(path, "r+") as file:
        file.write("")
    wait(lambda: session.events(path)[-1]["event"] == "kept", f"docsource to know {path}")
    return path


def expect_replaced(docsource, path, number):
    wait(lambda: os.stat(path).st_ino != number, f"another file at {path}")
    expect_source(docsource, path, **_FIRST)


def save_with_gedit(session, docsource):
    path = received(session, docsource, "gedit.txt")
    number = os.stat(path).st_ino
    session.start("gedit", "--standalone", path)
    session.window("gedit.txt")

    def saved():
        session.focus("gedit.txt")
        session.type("More.")
        session.press("ctrl+s")
        return wait_briefly(lambda: os.stat(path).st_ino != number, 3)

    wait(saved, path)
    expect_replaced(docsource, path, number)


def save_again_with_libreoffice(session, docsource):
    path = f"{session.home}/Documents/office.odt"
    save_with_libreoffice(session, "first", ("swriter", path, "writer8"))
    expect_source(docsource, path, identifier="libreoffice-writer")
    received(session, docsource, "office.odt")
    number = os.stat(path).st_ino
    save_with_libreoffice(session, "again", ("old", path, ""))
    expect_replaced(docsource, path, number)


def save_with_vim(session, docsource):
    for name, options in ("renamed.txt", "backupcopy=no"), ("kept.txt", "backup backupcopy=no"):
        path = tagged(session, docsource, name)
        number = os.stat(path).st_ino
        vim = session.start("vim", "-u", "NONE", "-i", "NONE", "-c", f"set writebackup {options}",
                            "-c", "normal AMore.", "-c", "wq", path, stdin=subprocess.DEVNULL)
        assert vim.wait(60) == 0, "vim saves nothing"
        expect_replaced(docsource, path, number)


def edit_with_sed(session, docsource):
    path = tagged(session, docsource, "sed.txt")
    number = os.stat(path).st_ino
    subprocess.run(["sed", "-i", "s/letter/report/", path], check=True)
    expect_replaced(docsource, path, number)


def replace_by_another_file(session, docsource):
    """A new file where another one was, which has gone elsewhere, is no new state of that."""
    for name, leave in ("moved.txt", _rename), ("deleted.txt", _delete):
        path = received(session, docsource, name)
        leave(path)
        with open(path, "w") as file:
            file.write("Something else.")
        wait(lambda: session.events(path)[-1]["event"] == "none", f"docsource to see {path}")
        assert source(docsource, path) is None, f"{path} has a source"


def _rename(path):
    os.rename(path, f"{os.path.dirname(path)}/other.txt")


def _delete(path):
    os.unlink(path)
    # Programs that delete a file to write it anew do so at once.
    time.sleep(1.5)
