#include <stddef.h>

#include "cstart.h"

// Functions of the Swift runtime that the linker takes from here, since they come before libswiftCore.a: of
// the time of `docsource show FILE`, the runtime's own take a twentieth. A runtime that has others is linked
// with those.

char **_swift_stdlib_getUnsafeArgvArgc(int *count);
const char *swift_copyAuxiliaryExecutablePath(const char *name);
extern const char _swift_backtraceSettings[256];
int _swift_backtrace_isThunkFunction(const char *name);

static char *none[1];
static char **arguments = none;
static int argument_count;

/// The C library gives the arguments to each constructor.
__attribute__((constructor(101), disable_sanitizer_instrumentation)) static void keep_arguments(
    int count, char **list) {
  argument_count = count;
  arguments = list;
}

/// What `CommandLine` has. The runtime's own finds the arguments on the stack, by /proc/self/maps.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = argument_count;
  return arguments;
}

/// The path of a program that is installed with the runtime; none is with this one. The runtime asks for
/// swift-backtrace, which its own function looks for in seven directories.
const char *swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return NULL;
}

/// How the runtime would report a crash by swift-backtrace: not at all. Without this and the next, the
/// runtime's own come with 64 KiB for the environment of that program, and ask at each start whether standard
/// error is a terminal.
__attribute__((weak)) const char _swift_backtraceSettings[256];

/// Whether a function is left out of a backtrace; each program asks for one of this name.
__attribute__((weak)) int _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return 0;
}
