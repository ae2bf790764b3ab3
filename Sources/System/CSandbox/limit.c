#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int lower(__rlimit_resource_t resource, rlim_t soft, rlim_t hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -errno;
  if (limit.rlim_max > hard) limit.rlim_max = hard;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  return setrlimit(resource, &limit) != 0 ? -errno : 0;
}

int csandbox_limit(uint64_t address_space, uint64_t seconds, uint64_t file_size) {
  // Before Linux 5.9 there is no close_range, and what is open stays so.
  if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0 && errno != ENOSYS) return -errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
  // Whoever waits for the answer is gone then, and a process that was taken over need not end.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -errno;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -errno;
  int result = lower(RLIMIT_CORE, 0, 0);
  if (result == 0) result = lower(RLIMIT_NPROC, 0, 0);
  if (result == 0) result = lower(RLIMIT_FSIZE, file_size, file_size);
  // SIGXCPU ends the process, whatever it inherited; should it be caught, SIGKILL does.
  sigset_t overtime;
  sigemptyset(&overtime);
  sigaddset(&overtime, SIGXCPU);
  signal(SIGXCPU, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &overtime, NULL);
  if (result == 0) result = lower(RLIMIT_CPU, seconds, seconds + 1);
  if (result == 0) result = lower(RLIMIT_AS, address_space, address_space);
  return result;
}

int csandbox_refuse_descriptors(void) { return lower(RLIMIT_NOFILE, 0, 0); }

int csandbox_leave_root(void) {
  enum { nobody = 65534 };
  if (getuid() != 0 && geteuid() != 0) return 0;
  // The user last: only root may change groups. The kernel takes the capabilities with it.
  if (setgroups(0, NULL) != 0 || setresgid(nobody, nobody, nobody) != 0 ||
      setresuid(nobody, nobody, nobody) != 0)
    return -errno;
  return 0;
}
