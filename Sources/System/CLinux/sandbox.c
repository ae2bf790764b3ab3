#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "confine.h"

int clinux_sandbox_limit(uint64_t address_space, uint64_t seconds, uint64_t file_size,
                         const int *kept, size_t kept_count) {
  // Before Linux 5.9 there is no close_range, and what is open stays so.
  unsigned first = 3;
  for (size_t i = 0; i <= kept_count; i++) {
    unsigned next = i < kept_count ? (unsigned)kept[i] : ~0u;
    unsigned last = i < kept_count ? next - 1 : ~0u;
    if (next > first && syscall(SYS_close_range, first, last, 0u) != 0 && errno != ENOSYS)
      return -errno;
    if (next >= first) first = next + 1;
  }
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

int clinux_sandbox_refuse_descriptors(void) { return lower(RLIMIT_NOFILE, 0, 0); }

// Whether a change of user or group failed for something else than that this process cannot make
// it: it lacks CAP_SETUID or CAP_SETGID, or its user namespace has no such user (EINVAL).
static int failed(int result) { return result != 0 && errno != EPERM && errno != EINVAL; }

int clinux_sandbox_leave_root(void) {
  enum { nobody = 65534 };
  bool is_root = getuid() == 0 || geteuid() == 0;
  // The user last: only root may change groups.
  if (is_root && (failed(setgroups(0, NULL)) || failed(setresgid(nobody, nobody, nobody)) ||
                  failed(setresuid(nobody, nobody, nobody))))
    return -errno;
  // With another user they are gone; root in name has them until now, others as ambient ones.
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
  return syscall(SYS_capset, &header, none) != 0 ? -errno : 0;
}

int clinux_rights_keep(uint64_t kept, uint64_t raised) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, sets) != 0) return -errno;
  for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++) {
    sets[half].permitted &= (uint32_t)(kept >> 32 * half);
    sets[half].effective = sets[half].permitted & (uint32_t)(raised >> 32 * half);
    sets[half].inheritable = 0;
  }
  return syscall(SYS_capset, &header, sets) != 0 ? -errno : 0;
}

int clinux_rights_leave_groups(void) { return setgroups(0, NULL) != 0 ? -errno : 0; }

int clinux_rights_become(uint32_t user, uint32_t group, uint64_t kept, uint64_t raised) {
  bool is_user = geteuid() == user && getuid() == user;
  if (setgroups(0, NULL) != 0 && !(is_user && errno == EPERM)) return -errno;
  if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) return -errno;
  if (setresgid(group, group, group) != 0 && !(is_user && errno == EPERM)) return -errno;
  if (setresuid(user, user, user) != 0) return -errno;
  int result = clinux_rights_keep(kept, raised);
  if (result != 0) return result;
  if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0) return -errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
  // Last: another user forgets it.
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 ? -errno : 0;
}

int clinux_rights_limit_data(uint64_t bytes) { return lower(RLIMIT_DATA, bytes, bytes); }

// From linux/landlock.h as of Linux 6.12; older headers lack the later members.
struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scope;
};
enum { version_flag = 1 };

// Lets what is at a path, and below it, be read and, where that is a directory, be run.
static int let_read(int ruleset, const char *path) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return 0;
  struct stat status;
  bool is_directory = fstat(place, &status) == 0 && S_ISDIR(status.st_mode);
  // LANDLOCK_ACCESS_FS_EXECUTE, _READ_FILE and _READ_DIR.
  struct __attribute__((packed)) {
    uint64_t rights;
    int32_t place;
  } rule = {is_directory ? 1 | 4 | 8 : 1 | 4, place};
  enum { beneath_path = 1 };
  long result = syscall(SYS_landlock_add_rule, ruleset, beneath_path, &rule, 0);
  int error = errno;
  close(place);
  return result != 0 ? -error : 0;
}

int clinux_sandbox_landlock(const char *const *readable) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, version_flag);
  if (version < 0) return -errno;
  static const unsigned char rights[] = {0, 13, 14, 15, 15, 16};  // of files, by version
  struct ruleset ruleset = {(1ull << rights[version < 5 ? version : 5]) - 1, 0, 0};
  size_t size = sizeof ruleset.files;
  if (version >= 4) {
    ruleset.network = 3;
    size += sizeof ruleset.network;
  }
  if (version >= 6) {
    ruleset.scope = 3;
    size += sizeof ruleset.scope;
  }
  long descriptor = syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
  if (descriptor < 0) return -errno;
  int result = 0;
  for (size_t i = 0; result == 0 && readable && readable[i]; i++)
    result = let_read((int)descriptor, readable[i]);
  if (result == 0 && syscall(SYS_landlock_restrict_self, (int)descriptor, 0) != 0) result = -errno;
  close((int)descriptor);
  return result;
}

#ifdef ARCHITECTURE

#define ALLOW_DATA(call)                                                                           \
  EQUAL((call), 0, 4), LOAD(args[2]), ANY_BIT(PROT_EXEC, 0, 1), ANSWER(REFUSAL),                   \
      ANSWER(SECCOMP_RET_ALLOW)

// Puts all threads under a filter.
static int filter_calls(struct sock_filter *filter, size_t count) {
  struct sock_fprog program = {(unsigned short)count, filter};
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result < 0) return -errno;
  return result == 0 ? 0 : -EBUSY;  // the thread that could not be taken along
}

int clinux_sandbox_seccomp(int reads_files) {
  // Where no file is read, those calls are as any other.
  long pread = reads_files ? SYS_pread64 : SYS_read, status = reads_files ? SYS_fstat : SYS_read;
  struct sock_filter filter[] = {
      LOAD_CALL,
      ALLOW_OWN,
      ALLOW((uint32_t)pread),
      ALLOW((uint32_t)status),
      ALLOW_DATA(SYS_mmap),
      ALLOW_DATA(SYS_mprotect),
      ALLOW_OWN_SIGNAL,
      ANSWER(REFUSAL),
  };
  return filter_calls(filter, sizeof filter / sizeof *filter);
}

int clinux_sandbox_seccomp_reader(void) {
  struct sock_filter filter[] = {
      LOAD_CALL,
      ALLOW_OWN,
      ALLOW_READING,
      ALLOW_TO_READ(SYS_openat, 2),
#ifdef __x86_64__
      ALLOW(SYS_stat),
      ALLOW(SYS_lstat),
      ALLOW(SYS_access),
      ALLOW(SYS_readlink),
      ALLOW_TO_READ(SYS_open, 1),
#endif
      ALLOW_OWN_LIMITS,
      ALLOW_OWN_SIGNAL,
      ANSWER(REFUSAL),
  };
  return filter_calls(filter, sizeof filter / sizeof *filter);
}

#else

int clinux_sandbox_seccomp_reader(void) { return -ENOSYS; }

int clinux_sandbox_seccomp(int reads_files) {
  (void)reads_files;
  return -ENOSYS;
}

#endif
