// Linked into the executables, which need nothing of it by name.
