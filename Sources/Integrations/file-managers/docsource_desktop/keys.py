"""The keys of dialogs, which have the same numbers in all versions of Gtk."""

ESCAPE = 0xff1b,
UP = 0xff52, 0xff97  # and that of the number pad
DOWN = 0xff54, 0xff99
TAB = 0xff09, 0xff89
BACK_TAB = 0xfe20,
