#pragma once

/// How many regular files below a directory carry an attribute, by one thread of getdents64(2) and
/// getxattrat(2); where the kernel lacks that, openat(2) and fgetxattr(2).
long cpeer_count(const char *_Nonnull root, const char *_Nonnull attribute);

/// Runs a command found in PATH with its output thrown away and waits for it; 0 if it succeeded.
int cpeer_run(char *_Nullable const *_Nonnull arguments);
