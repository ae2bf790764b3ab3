#define _GNU_SOURCE
#include "clinux.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "retried.h"

// As much control data as descriptors take, aligned as the kernel wants it.
union control {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(clinux_channel_files * sizeof(int))];
};

int clinux_channel_pair(int *ends) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0 ? -errno : 0;
}

int clinux_channel_send(int channel, const void *bytes, size_t size, const int *files, size_t count,
                        int waits) {
  if (count > clinux_channel_files) return -EINVAL;
  struct iovec part = {(void *)bytes, size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union control control;
  if (count > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    memset(&control, 0, message.msg_controllen);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(head), files, count * sizeof(int));
  }
  ssize_t sent = RETRIED(sendmsg(channel, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT)));
  return sent < 0 ? (int)sent : 0;
}

ssize_t clinux_channel_receive(int channel, void *buffer, size_t size, int *files, size_t *count,
                               int waits) {
  struct iovec part = {buffer, size};
  union control control;
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  int flags = MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT);
  ssize_t received = RETRIED(recvmsg(channel, &message, flags));
  // If the other side has closed without having read everything, this comes once, before the
  // messages that it has sent.
  if (received == -ECONNRESET) received = RETRIED(recvmsg(channel, &message, flags));
  *count = 0;
  if (received < 0) return received;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    size_t length = head->cmsg_len - CMSG_LEN(0);
    memcpy(files + *count, CMSG_DATA(head), length);
    *count += length / sizeof(int);
  }
  if (message.msg_flags & MSG_TRUNC) {
    while (*count > 0) close(files[--*count]);
    return -EMSGSIZE;
  }
  return received;
}
