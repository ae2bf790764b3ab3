"""Programs in sandboxes, which save by the file chooser of the desktop's portal."""

import glob, os, signal, subprocess

from gi.repository import Gio, GLib

from desktop_session import wait, wait_briefly
from watch_session import expect_source, source

_SYSTEM = ["--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
           "/lib64", "--symlink", "usr/bin", "/bin", "--ro-bind", "/etc", "/etc", "--proc", "/proc",
           "--dev", "/dev", "--bind", "/tmp", "/tmp", "--ro-bind", "/sys", "/sys"]


def _mount_point(session):
    """The mount point of the document portal, which is started if it is not there."""
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.freedesktop.portal.Documents",
                    "--object-path", "/org/freedesktop/portal/documents", "--method",
                    "org.freedesktop.portal.Documents.GetMountPoint"],
                   check=True, stdout=session.errors, stderr=session.errors)
    return f"{os.environ['XDG_RUNTIME_DIR']}/doc"


def _start(session, identifier, *command):
    """Starts a program as flatpak does: it has a home and a root of its own, and sees no documents but
    those that it has got."""
    documents = f"{_mount_point(session)}/by-app/{identifier}"
    information = os.memfd_create("flatpak-info")
    os.write(information, f"[Application]\nname={identifier}\n\n[Instance]\ninstance-id=1\n".encode())
    os.lseek(information, 0, os.SEEK_SET)
    runtime = os.environ["XDG_RUNTIME_DIR"]
    return session.start(
        "bwrap", *_SYSTEM, "--tmpfs", session.home, "--dir", runtime, "--bind", documents,
        f"{runtime}/doc", "--file", str(information), "/.flatpak-info", "--symlink",
        "/.flatpak-info", f"{runtime}/flatpak-info", "--setenv", "GSK_RENDERER", "cairo", "--chdir",
        session.home, *command,
        pass_fds=[information])


def _write(session, identifier, text):
    """Has a text editor in a sandbox show a text; gives what the titles of its window begin with."""
    _start(session, identifier, "gnome-text-editor", "--standalone")
    session.window("^New Document")
    session.type(text)
    return text[:-1]


def _save(session, window, path):
    """Saves what is in a window by the dialog of the portal."""
    session.dialog(window, "ctrl+s", "^Save")

    def saved():
        if session.focus("^Save"):
            session.press("ctrl+a")
            session.type(path)
            session.press("Return")
        return wait_briefly(lambda: os.path.exists(path) and os.path.getsize(path) > 0)

    wait(saved, path)


def _end_portal(session):
    """Ends the document portal, which starts anew when somebody asks for it."""
    answer = subprocess.run(["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus",
                             "--object-path", "/org/freedesktop/DBus", "--method",
                             "org.freedesktop.DBus.GetConnectionUnixProcessID",
                             "org.freedesktop.portal.Documents"],
                            check=True, stdout=subprocess.PIPE, text=True).stdout
    process = int(answer.split()[1].rstrip(",)"))
    os.kill(process, signal.SIGTERM)
    wait(lambda: not os.path.exists(f"/proc/{process}"), "the document portal to end")


def save_in_sandboxes(session, docsource):
    """Two at once, and another one after the document portal has started anew."""
    # The portal of GNOME has a dialog for files.
    subprocess.run(["dbus-update-activation-environment", "XDG_CURRENT_DESKTOP=GNOME"], check=True)
    windows = [_write(session, "org.gnome.TextEditor", "A letter."),
               _write(session, "org.example.Notes", "A report.")]
    paths = [f"{session.home}/Documents/sandbox-{name}.txt" for name in ("one", "two", "again")]
    for window, path in zip(windows, paths):
        _save(session, window, path)
    _end_portal(session)
    _save(session, _write(session, "org.gnome.TextEditor", "A note."), paths[2])
    editor = {"identifier": "org.gnome.TextEditor", "name": "Text Editor"}
    for path, expected in zip(paths, (editor, {"identifier": "org.example.Notes"}, editor)):
        expect_source(docsource, path, **expected)
        # The application can read the attribute, and its sandbox hides the path.
        assert source(docsource, path).get("path") is None, source(docsource, path)


def _share(paths, applications, is_kept=True):
    """Hands documents over to several applications, each of which may write them; gives the names of
    the documents' directories. Only the portal itself knows documents that are not kept."""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(method, arguments, descriptors=None):
        return bus.call_with_unix_fd_list_sync(
            "org.freedesktop.portal.Documents", "/org/freedesktop/portal/documents",
            "org.freedesktop.portal.Documents", method, arguments, None, 0, -1, descriptors, None)[0]

    files = [os.open(path, os.O_PATH) for path in paths]
    reuse, persist = 1, 2
    identifiers = call("AddFull", GLib.Variant("(ahusas)", (
        list(range(len(files))), reuse | (persist if is_kept else 0), applications[0], ["read", "write"])),
        Gio.UnixFDList.new_from_array(files)).unpack()[0]
    for application in applications[1:]:
        for identifier in identifiers:
            call("GrantPermissions",
                 GLib.Variant("(ssas)", (identifier, application, ["read", "write"])))
    return identifiers


def _looking_worker():
    """The worker of `docsource watch` that has asked the kernel for events of a mount."""
    for file in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(file, "rb") as line:
                if b"\0(watch-worker)\0" not in line.read():
                    continue
            for descriptor in glob.glob(f"{os.path.dirname(file)}/fdinfo/*"):
                with open(descriptor) as information:
                    if "fanotify sdev:" in information.read():
                        return os.path.dirname(file)
        except OSError:  # it has just ended
            pass
    return None


_WRITER = """
import os, sys, time
for path, way in zip(sys.argv[1::2], sys.argv[2::2]):
    if way == "rename":
        with open(path + ".new", "w") as file:
            file.write("another text")
        os.rename(path + ".new", path)
    else:
        with open(path, "w") as file:
            file.write("another text")
# Applications do not end at once.
time.sleep(5)
"""


def _write_shared(session, docsource, lead, is_kept=True):
    paths = [f"{session.home}/Documents/{lead}-{number}.txt" for number in range(16)]
    for path in paths:
        with open(path, "w") as file:
            file.write("a text")
    # Nobody is known to have written these.
    for path in paths:
        session.event(path)
    applications = ["org.example.First", "org.example.Second"]
    documents = _share(paths, applications, is_kept)
    ways = ["rename", "rename", "write", "write"] * 4
    runtime = os.environ["XDG_RUNTIME_DIR"]
    for number, application in enumerate(applications):
        words = []
        for document, path, way in list(zip(documents, paths, ways))[number::2]:
            words += [f"{runtime}/doc/{document}/{os.path.basename(path)}", way]
        _start(session, application, "/usr/bin/python3", "-c", _WRITER, *words)
    for number, path in enumerate(paths):
        expect_source(docsource, path, identifier=applications[number % 2])
        assert source(docsource, path).get("path") is None, source(docsource, path)


def write_shared_documents(session, docsource):
    """What several applications may write comes from the one that has written it, also if the document
    portal keeps no database of it, and after the portal has started anew."""
    _mount_point(session)
    first = wait(_looking_worker, "docsource to look at the portal's mount")
    _write_shared(session, docsource, "shared")
    _write_shared(session, docsource, "dropped", is_kept=False)
    _end_portal(session)
    _mount_point(session)
    wait(lambda: _looking_worker() not in (None, first), "docsource to look at the new mount")
    _write_shared(session, docsource, "again")
