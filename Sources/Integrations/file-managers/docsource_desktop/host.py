"""The file manager that runs this, and the GTK that it is made with."""

import importlib
import os

import gi

_NAMESPACES = {
    "nautilus": "Nautilus", "nemo": "Nemo", "caja": "Caja", "thunar": "Thunarx",
    "xfdesktop": "Thunarx",
}


def _namespace() -> str:
    """That of the program which runs this; its version is the one that the program has chosen."""
    program = os.path.basename(os.readlink("/proc/self/exe")).lower()
    for name, namespace in _NAMESPACES.items():
        if name in program:
            return namespace
    raise ImportError(f"docsource: {program} is no file manager that is known")


Host = importlib.import_module(f"gi.repository.{_namespace()}")
GTK = "4.0" if Host._namespace == "Nautilus" and not Host._version.startswith("3") else "3.0"
gi.require_version("Gtk", GTK)
gi.require_version("Gdk", GTK)

from gi.repository import Gdk, Gtk  # noqa: E402, F401 (others take them from here)
