/// Programs that a library runs inside somebody else's process, for Swift.
///
/// Every function returns 0, a count or a descriptor on success and a negated errno on failure.

#ifndef CPROGRAM_H
#define CPROGRAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Starts a program and returns a descriptor of its process, to be closed.
///
/// Its standard input is empty; `output` and `errors` become the other two, and no other
/// descriptor is passed on; `arguments` end with a NULL. Signals are as if the caller had changed
/// none.
///
/// It is pidfd_spawn(3), which glibc has from 2.39 on: safe in a process with many threads, as
/// posix_spawn(3) is, and the descriptor is that of the child even if the host waits for it first.
int cprogram_start(const char *_Nonnull program, const char *_Nullable const *_Nonnull arguments,
                   int output, int errors);

/// Whether and how a process ended. It is gone once it has been told.
///
/// The corresponding C function is waitid(2).
///
/// - status: the exit status, or 128 and the signal that ended it.
/// Returns 1 when it has ended, and 0 while it runs and `waits` is 0; -ECHILD where another part of
/// the host has waited for it.
int cprogram_ending(int process, int waits, int *_Nonnull status);

/// Ends a process at once. The corresponding C function is pidfd_send_signal(2).
int cprogram_kill(int process);

/// A file in memory, which no path leads to. The corresponding C function is memfd_create(2).
int cprogram_memory(const char *_Nonnull name);

/// The path of the file that holds this function: a library, or an executable with an absolute path.
///
/// The corresponding C functions are dladdr(3), dlinfo(3) and realpath(3). `path` has room for PATH_MAX bytes.
int cprogram_own_file(char *_Nonnull path);

/// The most bytes of a path, its NUL among them.
enum { cprogram_path_max = 4096 };

#ifdef __cplusplus
}
#endif

#endif
