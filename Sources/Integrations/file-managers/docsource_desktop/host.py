"""The file manager that runs the extension, and its version of GTK."""

import importlib
import os

import gi

_NAMESPACES = {
    "nautilus": "Nautilus", "nemo": "Nemo", "caja": "Caja", "thunar": "Thunarx",
    "xfdesktop": "Thunarx",
}


def _namespace() -> str:
    """The namespace of the program that runs the extension, in the version of that program."""
    program = os.path.basename(os.readlink("/proc/self/exe")).lower()
    for name, namespace in _NAMESPACES.items():
        if name in program:
            return namespace
    raise ImportError(f"docsource: unknown file manager: {program}")


Host = importlib.import_module(f"gi.repository.{_namespace()}")
GTK = "4.0" if Host._namespace == "Nautilus" and not Host._version.startswith("3") else "3.0"
gi.require_version("Gtk", GTK)
gi.require_version("Gdk", GTK)

from gi.repository import Gdk, Gtk  # noqa: E402, F401 (others take them from here)
