#include <unistd.h>

#include "cstart.h"

/// Files are opened anew by /proc, and companions are found by it: without it, little works.
///
/// No sanitizer has begun its work by then.
__attribute__((disable_sanitizer_instrumentation)) static void need_proc(
    int count, char **arguments, char **environment) {
  (void)count, (void)arguments, (void)environment;
  static const char message[] = "docsource needs /proc, which is not mounted or cannot be read\n";
  if (access("/proc/self/exe", F_OK) == 0) return;
  ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  (void)written;
  _exit(2);
}

/// Runs before the constructors of shared libraries, the runtime's among them.
__attribute__((section(".preinit_array"), used)) static void (*start)(
    int, char **, char **) = need_proc;
