/// The kernel's ways to give up rights, for Swift.
///
/// Functions return a negated errno on failure.

#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a process of root one of the user nobody (65534) without groups or capabilities, for good.
/// Others stay whose they are. The C functions behind it are setgroups(2), setresgid(2) and
/// setresuid(2).
int csandbox_leave_root(void);

/// Gives up what the kernel can only refuse a few at a time: other descriptors than 0, 1 and 2,
/// core dumps, processes, files beyond `file_size` bytes, memory beyond
/// `address_space` bytes, processor time beyond `seconds`, gaining rights by execve, being traced.
///
/// The process also ends with the thread that started it. A limit that is lower already stays. The
/// C functions behind it are close_range(2), setrlimit(2) and prctl(2).
int csandbox_limit(uint64_t address_space, uint64_t seconds, uint64_t file_size);

/// Lets no descriptor be opened anew. The C function behind it is setrlimit(2).
int csandbox_refuse_descriptors(void);

/// Lets no path be reached, no TCP port bound or connected to, and no process outside be signalled,
/// as far as this kernel's Landlock goes. -ENOSYS or -EOPNOTSUPP where it has none.
int csandbox_landlock(void);

/// Lets only system calls pass that use what there is: read, write, close, memory that is not
/// executable, clocks, signals to oneself, the end. Others fail with EPERM; those of another
/// architecture end the process. -ENOSYS or -EINVAL where the kernel or this architecture has none.
///
/// The C function behind it is seccomp(2).
int csandbox_seccomp(void);

/// A program under way, and the near ends of its standard streams.
typedef struct csandbox_child {
  pid_t identifier;
  int input;   // a socket: send with MSG_NOSIGNAL
  int output;  // a pipe
  int errors;  // a pipe
} csandbox_child;

/// Starts a program in a session of its own with an empty environment and no other descriptors.
///
/// `arguments` ends with NULL. The near ends do not block and are closed on execve. The C function
/// behind it is posix_spawn(3).
int csandbox_spawn(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments,
                   csandbox_child *_Nonnull child);

#ifdef __cplusplus
}
#endif

#endif
