#define _GNU_SOURCE
#include "cprogram.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(cprogram_path_max == PATH_MAX, "realpath(3) fills PATH_MAX bytes");

// What the child needs and leaves, in memory that it shares with the parent until it is a program.
struct start {
  const char *program;
  const char *const *arguments;
  int output;
  int errors;
  int error;
};

// glibc 2.36 declares these in headers that need the same macros; the numbers are the same on
// every architecture.
enum { call_pidfd_send_signal = 424, call_close_range = 436, close_range_cloexec = 1 << 2 };

// Runs on a stack of its own while the calling thread stands still. Only what is safe in a signal
// handler is called.
static int become(void *argument) {
  struct start *start = argument;
  // What the host ignores would be ignored by the program: GTK sets SIGPIPE so, and without
  // SIGCHLD it could not wait for its own children.
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) {
    struct sigaction current;
    if (sigaction(signal, NULL, &current) == 0 && current.sa_handler == SIG_IGN)
      sigaction(signal, &usual, NULL);
  }
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || (null != STDIN_FILENO && dup2(null, STDIN_FILENO) < 0)
      || dup2(start->output, STDOUT_FILENO) < 0 || dup2(start->errors, STDERR_FILENO) < 0)
    goto failed;
  // Before Linux 5.11 those without O_CLOEXEC are passed on.
  syscall(call_close_range, STDERR_FILENO + 1, ~0U, close_range_cloexec);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execv(start->program, (char *const *)start->arguments);
failed:
  start->error = errno;
  _exit(127);
}

// A copy above the three standard descriptors, so that making those cannot overwrite it.
static int raised(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); }

static int started(struct start *start) {
  enum { stack_size = 64 << 10 };
  char *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return -errno;
  // The host's handlers must not run in the child, which has the parent's memory, nor may the
  // calling thread be cancelled in between.
  sigset_t all, former;
  int state;
  sigfillset(&all);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_sigmask(SIG_BLOCK, &all, &former);
  int process = -1;
  // No signal in the lowest byte: a child that becomes no program raises none. One that does
  // raises SIGCHLD (execve(2)).
  int child = clone(become, stack + stack_size, CLONE_VM | CLONE_VFORK | CLONE_PIDFD, start,
                    &process);
  int error = child < 0 ? errno : start->error;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_setcancelstate(state, NULL);
  munmap(stack, stack_size);
  if (child < 0) return -error;
  if (error != 0) {
    int status;
    cprogram_ending(process, 1, &status);
    close(process);
    return -error;
  }
  return process;
}

int cprogram_start(const char *program, const char *const *arguments, int output, int errors) {
  struct start start = {program, arguments, raised(output), raised(errors), 0};
  int result = start.output < 0 || start.errors < 0 ? -errno : started(&start);
  if (start.output >= 0) close(start.output);
  if (start.errors >= 0) close(start.errors);
  return result;
}

int cprogram_ending(int process, int waits, int *status) {
  siginfo_t info = {0};
  int options = WEXITED | __WALL | (waits ? 0 : WNOHANG);  // __WALL: see the signal of started
  while (waitid(P_PIDFD, (id_t)process, &info, options) < 0)
    if (errno != EINTR) return -errno;
  if (info.si_pid == 0) return 0;
  *status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  return 1;
}

int cprogram_kill(int process) {
  return syscall(call_pidfd_send_signal, process, SIGKILL, NULL, 0) < 0 ? -errno : 0;
}

int cprogram_memory(const char *name) {
  int memory = memfd_create(name, MFD_CLOEXEC);
  return memory < 0 ? -errno : memory;
}

int cprogram_own_file(char *path) {
  Dl_info info;
  if (dladdr((const void *)&cprogram_own_file, &info) == 0 || info.dli_fname == NULL)
    return -ENOENT;
  if (info.dli_fname[0] != '/') {
    // Relative to the working directory that the host had when it loaded the library, which the
    // loader remembers; in the present one another file may have that name.
    char origin[PATH_MAX], file[2 * PATH_MAX];
    void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) return -ENOENT;
    int result = dlinfo(library, RTLD_DI_ORIGIN, origin);
    dlclose(library);
    if (result != 0) return -ENOENT;
    const char *slash = strrchr(info.dli_fname, '/');
    int length = snprintf(file, sizeof file, "%s/%s", origin, slash ? slash + 1 : info.dli_fname);
    if (length < 0 || (size_t)length >= sizeof file) return -ENAMETOOLONG;
    return realpath(file, path) == NULL ? -errno : 0;
  }
  return realpath(info.dli_fname, path) == NULL ? -errno : 0;
}
