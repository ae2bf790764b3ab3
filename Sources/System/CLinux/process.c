#define _GNU_SOURCE
#include "clinux.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include "retried.h"

_Static_assert(clinux_path_max == PATH_MAX, "realpath(3) fills PATH_MAX bytes");

int clinux_own_file(char *path) {
  Dl_info info;
  if (dladdr((const void *)&clinux_own_file, &info) == 0 || info.dli_fname == NULL)
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

int clinux_processors(void) {
  cpu_set_t set;
  // Fails where there are more processors than the set has room for.
  if (sched_getaffinity(0, sizeof set, &set) != 0) return CPU_SETSIZE;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}

// What a new thread runs, and where it may run from then on.
struct thread_start {
  clinux_thread_body *body;
  void *argument;
  cpu_set_t processors;
};

static void *run_anywhere(void *given) {
  struct thread_start start = *(struct thread_start *)given;
  free(given);
  sched_setaffinity(0, sizeof start.processors, &start.processors);
  return start.body(start.argument);
}

static int start_elsewhere(pthread_t *thread, clinux_thread_body *body, void *argument) {
  struct thread_start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  *start = (struct thread_start){.body = body, .argument = argument};
  int own = sched_getcpu(), failed = EINVAL;
  if (own >= 0 && sched_getaffinity(0, sizeof start->processors, &start->processors) == 0) {
    cpu_set_t others = start->processors;
    CPU_CLR(own, &others);
    pthread_attr_t attributes;
    if (CPU_COUNT(&others) > 0 && pthread_attr_init(&attributes) == 0) {
      failed = pthread_attr_setaffinity_np(&attributes, sizeof others, &others);
      if (failed == 0) failed = pthread_create(thread, &attributes, run_anywhere, start);
      pthread_attr_destroy(&attributes);
    }
  }
  if (failed) free(start);
  return failed;
}

int clinux_thread_start(pthread_t *thread, clinux_thread_body *body, void *argument) {
  if (start_elsewhere(thread, body, argument) == 0) return 0;
  return -pthread_create(thread, NULL, body, argument);
}

long clinux_raise_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  return (long)limit.rlim_cur;
}

void clinux_rights(uint32_t *user, uint32_t *group) {
  // No user has this number, so nothing changes.
  *user = (uint32_t)setfsuid((uid_t)-1);
  *group = (uint32_t)setfsgid((gid_t)-1);
}

void clinux_act_as(uint32_t user, uint32_t group) {
  // The group first: only root may change it.
  if (user == 0) setfsuid(user);
  setfsgid(group);
  setfsuid(user);
}

int clinux_signals_open(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGHUP);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) < 0) return -errno;
  int descriptor = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

int clinux_signals_next(int descriptor) {
  struct signalfd_siginfo signal;
  ssize_t count = RETRIED(read(descriptor, &signal, sizeof signal));
  return count < 0 ? (int)count : count == sizeof signal ? (int)signal.ssi_signo : -EIO;
}
