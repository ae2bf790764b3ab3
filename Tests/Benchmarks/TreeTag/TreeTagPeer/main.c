// The bare loop that `docsource tag -r` is compared with, and what the comparison needs besides.
//
// Usage: TreeTagPeer set DIRECTORY ATTRIBUTE FILE     sets an attribute of all files to FILE's bytes
//        TreeTagPeer half DIRECTORY ATTRIBUTE FILE    sets it of every second file
//        TreeTagPeer pair DIRECTORY ATTRIBUTE FILE    sets it of all files, on two threads
//        TreeTagPeer floor DIRECTORY ATTRIBUTE FILE   sets it of those that lack it, on two threads:
//                                                     the system calls of `tag -r`, and nothing else
//        TreeTagPeer remove DIRECTORY ATTRIBUTE       removes it
//        TreeTagPeer count DIRECTORY ATTRIBUTE        reads it, and prints how many files have it
//        TreeTagPeer run COMMAND [ARGUMENT...]        prints its time in microseconds, its peak of
//                                                     resident memory in KiB and its status

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// struct xattr_args of linux/xattr.h, new in Linux 6.13.
struct arguments {
  uint64_t value __attribute__((aligned(8)));
  uint32_t size;
  uint32_t flags;
};
enum { call_setxattrat = 463, call_getxattrat = 464, call_listxattrat = 465,
       call_removexattrat = 466 };

static char value[65536];
static size_t value_size;
static const char *attribute;
static _Thread_local long done;

// By openat(2) where the kernel lacks the *xattrat calls.
static int opened(int directory, const char *name) {
  return openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

static int set(int directory, const char *name) {
  struct arguments a = {(uint64_t)(uintptr_t)value, (uint32_t)value_size, 0};
  long result = syscall(call_setxattrat, directory, name, AT_SYMLINK_NOFOLLOW, attribute, &a,
                        sizeof a);
  if (result == 0 || errno != ENOSYS) return (int)result;
  int file = opened(directory, name);
  if (file < 0) return -1;
  result = fsetxattr(file, attribute, value, value_size, 0);
  close(file);
  return (int)result;
}

static int set_second(int directory, const char *name) {
  static long met;
  return met++ % 2 ? set(directory, name) : 0;
}

// Only where the kernel has the *xattrat calls.
static int set_where_missing(int directory, const char *name) {
  char there[1024];
  long size = syscall(call_listxattrat, directory, name, AT_SYMLINK_NOFOLLOW, there, sizeof there);
  if (size == 0) return set(directory, name);
  struct arguments a = {(uint64_t)(uintptr_t)there, sizeof there, 0};
  long result = syscall(call_getxattrat, directory, name, AT_SYMLINK_NOFOLLOW, attribute, &a,
                        sizeof a);
  if (result == (long)value_size && memcmp(there, value, value_size) == 0) return 0;
  return set(directory, name);
}

static int take_away(int directory, const char *name) {
  long result = syscall(call_removexattrat, directory, name, AT_SYMLINK_NOFOLLOW, attribute);
  if (result == 0 || errno != ENOSYS) return (int)result;
  int file = opened(directory, name);
  if (file < 0) return -1;
  result = fremovexattr(file, attribute);
  close(file);
  return (int)result;
}

static int has(int directory, const char *name) {
  char there[1024];
  struct arguments a = {(uint64_t)(uintptr_t)there, sizeof there, 0};
  long result = syscall(call_getxattrat, directory, name, AT_SYMLINK_NOFOLLOW, attribute, &a,
                        sizeof a);
  if (result >= 0 || errno != ENOSYS) return result >= 0 ? 0 : -1;
  int file = opened(directory, name);
  if (file < 0) return -1;
  result = fgetxattr(file, attribute, there, sizeof there);
  close(file);
  return result >= 0 ? 0 : -1;
}

static void walk(int directory, int (*visit)(int, const char *)) {
  char records[32768];
  ssize_t size;
  while ((size = getdents64(directory, records, sizeof records)) > 0) {
    for (ssize_t at = 0; at < size;) {
      struct dirent64 *entry = (struct dirent64 *)(records + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      if (entry->d_type == DT_REG) {
        done += visit(directory, entry->d_name) == 0;
      } else if (entry->d_type == DT_DIR) {
        int child =
            openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (child < 0) continue;
        walk(child, visit);
        close(child);
      }
    }
  }
}

// Which of the directories in the root one of two threads works on, and what it does with files.
struct half {
  const char *root;
  long rest;
  int (*visit)(int, const char *);
};

static void *walk_half(void *argument) {
  struct half *half = argument;
  int root = open(half->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *names = fdopendir(root);
  struct dirent *entry;
  for (long number = 0; names != NULL && (entry = readdir(names)) != NULL;) {
    if (entry->d_name[0] == '.' || number++ % 2 != half->rest) continue;
    int child = openat(root, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (child < 0) continue;
    walk(child, half->visit);
    close(child);
  }
  if (names != NULL) closedir(names);
  return NULL;
}

// Runs a command from a process as small as this, whose memory does not count as the command's.
static int run(char **command) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = vfork();
  if (child < 0) return 1;
  if (child == 0) {
    execvp(command[0], command);
    _exit(127);
  }
  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return 1;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  long long time = (end.tv_sec - start.tv_sec) * 1000000LL + (end.tv_nsec - start.tv_nsec) / 1000;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  printf("%lld %ld %d\n", time, usage.ru_maxrss, code);
  return 0;
}

int main(int argc, char **argv) {
  if (argc >= 3 && strcmp(argv[1], "run") == 0) return run(argv + 2);
  if (argc < 4) return 64;
  int root = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) {
    perror(argv[2]);
    return 2;
  }
  attribute = argv[3];
  if (argc == 5) {
    FILE *file = fopen(argv[4], "rb");
    if (file == NULL) {
      perror(argv[4]);
      return 2;
    }
    value_size = fread(value, 1, sizeof value, file);
    fclose(file);
  }
  if (strcmp(argv[1], "set") == 0 && argc == 5) {
    walk(root, set);
  } else if (strcmp(argv[1], "half") == 0 && argc == 5) {
    walk(root, set_second);
  } else if ((strcmp(argv[1], "floor") == 0 || strcmp(argv[1], "pair") == 0) && argc == 5) {
    int (*visit)(int, const char *) = argv[1][0] == 'f' ? set_where_missing : set;
    struct half even = {argv[2], 0, visit}, odd = {argv[2], 1, visit};
    pthread_t thread;
    if (pthread_create(&thread, NULL, walk_half, &odd) != 0) return 2;
    walk_half(&even);
    pthread_join(thread, NULL);
  } else if (strcmp(argv[1], "remove") == 0) {
    walk(root, take_away);
  } else if (strcmp(argv[1], "count") == 0) {
    walk(root, has);
    printf("%ld\n", done);
  } else {
    return 64;
  }
  return 0;
}
