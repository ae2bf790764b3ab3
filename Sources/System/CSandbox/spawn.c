#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// The far end of each stream first, then the near one.
struct streams {
  int input[2], output[2], errors[2];
};

static int open_streams(struct streams *streams) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, streams->input) != 0) return -errno;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  streams->output[0] = ends[1], streams->output[1] = ends[0];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  streams->errors[0] = ends[1], streams->errors[1] = ends[0];
  int near[] = {streams->input[1], streams->output[1], streams->errors[1]};
  for (int each = 0; each < 3; each++) {
    if (fcntl(near[each], F_SETFL, O_NONBLOCK) != 0) return -errno;
  }
  return 0;
}

static void close_ends(struct streams *streams, int end) {
  int each[] = {streams->input[end], streams->output[end], streams->errors[end]};
  for (int stream = 0; stream < 3; stream++) {
    if (each[stream] >= 0) close(each[stream]);
  }
}

static int spawn(const char *program, char *const *arguments, struct streams *streams,
                 pid_t *identifier) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int result = posix_spawn_file_actions_init(&actions);
  if (result != 0) return -result;
  result = posix_spawnattr_init(&attributes);
  if (result == 0) {
    int far[] = {streams->input[0], streams->output[0], streams->errors[0]};
    for (int each = 0; each < 3 && result == 0; each++) {
      result = posix_spawn_file_actions_adddup2(&actions, far[each], each);
    }
    if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (result == 0) result = posix_spawnattr_setsigmask(&attributes, &none);
    if (result == 0) result = posix_spawnattr_setsigdefault(&attributes, &all);
    if (result == 0) {
      result = posix_spawnattr_setflags(
          &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    char *nothing[] = {NULL};
    if (result == 0) {
      result = posix_spawn(identifier, program, &actions, &attributes, arguments, nothing);
    }
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return -result;
}

int csandbox_spawn(const char *program, char *const *arguments, csandbox_child *child) {
  struct streams streams = {{-1, -1}, {-1, -1}, {-1, -1}};
  int result = open_streams(&streams);
  // With 0, 1 or 2 closed here, one stream's dup2 in the child would overwrite another's end.
  if (result == 0 && (streams.input[0] < 3 || streams.output[0] < 3 || streams.errors[0] < 3)) {
    result = -EBADF;
  }
  if (result == 0) result = spawn(program, arguments, &streams, &child->identifier);
  close_ends(&streams, 0);
  if (result != 0) {
    close_ends(&streams, 1);
    return result;
  }
  child->input = streams.input[1];
  child->output = streams.output[1];
  child->errors = streams.errors[1];
  return 0;
}
