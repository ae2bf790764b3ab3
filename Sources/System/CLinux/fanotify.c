#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/vfs.h>

#include "retried.h"

// New in Linux 6.13, after Debian 12's headers.
enum { report_fd_error = 0x2000 };

int clinux_events_open(void) {
  unsigned int flags = FAN_CLOEXEC | FAN_CLASS_NOTIF | FAN_NONBLOCK | FAN_REPORT_PIDFD;
  // O_NONBLOCK: smbd may hold a lease, for which reading would wait.
  unsigned int files = O_RDONLY | O_LARGEFILE | O_CLOEXEC | O_NONBLOCK;
  int group = fanotify_init(flags | report_fd_error, files);
  if (group < 0 && errno == EINVAL) group = fanotify_init(flags, files);
  return group < 0 ? -errno : group;
}

// To open a terminal for an event could make it this process's own, whose keys are signals then: the
// kernel does not take O_NOCTTY for events.
static int has_devices(const struct statfs *status) {
  return status->f_type == DEVPTS_SUPER_MAGIC;
}

// The path of an open file, one of O_PATH included, for calls that take no descriptor.
struct file_link {
  char path[sizeof "/proc/self/fd/" + 3 * sizeof(int)];
};

static struct file_link link_of(int file) {
  struct file_link link;
  snprintf(link.path, sizeof link.path, "/proc/self/fd/%d", file);
  return link;
}

static int mark_open(int group, unsigned int flags, uint64_t events, int file) {
  struct file_link link = link_of(file);
  return (int)RETRIED(fanotify_mark(group, flags, events, AT_FDCWD, link.path));
}

static int change_open(int group, unsigned int action, clinux_extent extent, int file) {
  unsigned int kind = extent == clinux_mount ? FAN_MARK_MOUNT : FAN_MARK_FILESYSTEM;
  return mark_open(group, action | kind, FAN_CLOSE_WRITE, file);
}

static int change(int group, unsigned int action, clinux_extent extent, const char *path) {
  // What is looked at is what is marked, whatever users do to the path meanwhile.
  int place = (int)RETRIED(open(path, O_PATH | O_CLOEXEC));
  if (place < 0) return place;
  struct statfs status;
  int result = (int)RETRIED(fstatfs(place, &status));
  if (result == 0 && !has_devices(&status)) result = change_open(group, action, extent, place);
  close(place);
  return result;
}

int clinux_events_mark(int group, clinux_extent extent, const char *path) {
  return change(group, FAN_MARK_ADD, extent, path);
}

int clinux_events_unmark(int group, clinux_extent extent, const char *path) {
  return change(group, FAN_MARK_REMOVE, extent, path);
}

int clinux_events_mark_open(int group, clinux_extent extent, int file) {
  return change_open(group, FAN_MARK_ADD, extent, file);
}

int clinux_events_unmark_open(int group, clinux_extent extent, int file) {
  return change_open(group, FAN_MARK_REMOVE, extent, file);
}

ssize_t clinux_events_read(int group, void *buffer, size_t size) {
  return RETRIED(read(group, buffer, size));
}

size_t clinux_events_next(const void *buffer, size_t size, size_t offset,
                          struct clinux_event *event) {
  struct fanotify_event_metadata head;
  if (offset > size || size - offset < sizeof head) return 0;
  const char *start = (const char *)buffer + offset;
  memcpy(&head, start, sizeof head);
  if (head.vers != FANOTIFY_METADATA_VERSION || head.event_len < head.metadata_len ||
      head.event_len > size - offset || head.metadata_len < sizeof head)
    return 0;
  uint32_t is_overflow = (head.mask & FAN_Q_OVERFLOW) != 0;
  *event = (struct clinux_event){head.fd, FAN_NOPIDFD, head.pid, is_overflow};
  size_t position = head.metadata_len;
  while (head.event_len - position >= sizeof(struct fanotify_event_info_header)) {
    struct fanotify_event_info_pidfd record;
    memcpy(&record.hdr, start + position, sizeof record.hdr);
    if (record.hdr.len < sizeof record.hdr || record.hdr.len > head.event_len - position) break;
    if (record.hdr.info_type == FAN_EVENT_INFO_TYPE_PIDFD && record.hdr.len >= sizeof record) {
      memcpy(&record, start + position, sizeof record);
      event->process = record.pidfd;
    }
    position += record.hdr.len;
  }
  return offset + head.event_len;
}

int clinux_journal_open(void) {
  unsigned int flags = FAN_CLOEXEC | FAN_CLASS_NOTIF | FAN_NONBLOCK | FAN_REPORT_PIDFD |
                       FAN_REPORT_DFID_NAME_TARGET;
  return (int)RETRIED(fanotify_init(flags, O_RDONLY));
}

// fs/btrfs/export.h
enum { btrfs_handle = 0x4d, btrfs_top = 5, btrfs_first_inode = 256 };

struct btrfs_handle {
  uint64_t inode;
  uint64_t tree;
  uint32_t generation;
} __attribute__((packed));

_Static_assert(sizeof(struct clinux_handle) == sizeof(struct file_handle) + MAX_HANDLE_SZ &&
                   offsetof(struct clinux_handle, kind) == offsetof(struct file_handle, handle_type),
               "it is a struct file_handle");

// The directory of btrfs's subvolume that has all others, which may be mounted nowhere.
static int open_top(int file) {
  struct file_link link = link_of(file);
  int place = (int)RETRIED(open(link.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (place < 0) return place;
  struct clinux_handle handle = {.size = sizeof(struct btrfs_handle), .kind = btrfs_handle};
  struct btrfs_handle top = {btrfs_first_inode, btrfs_top, 0};
  memcpy(handle.bytes, &top, sizeof top);
  int root =
      (int)RETRIED(open_by_handle_at(place, (struct file_handle *)&handle, O_PATH | O_CLOEXEC));
  close(place);
  return root;
}

int clinux_journal_mark(int group, int file, int programs_only) {
  uint64_t events = FAN_OPEN_EXEC;
  if (!programs_only) events |= FAN_CREATE | FAN_MODIFY | FAN_CLOSE_WRITE | FAN_DELETE_SELF;
  unsigned int flags = FAN_MARK_ADD | FAN_MARK_FILESYSTEM;
  int result = mark_open(group, flags, events, file);
  if (result != -EXDEV) return result;
  // The whole file system of btrfs is marked only by a file of that subvolume.
  int top = open_top(file);
  if (top < 0) return top;
  result = mark_open(group, flags, events, top);
  close(top);
  return result;
}

// FILEID_INO32_GEN in exportfs.h: a number and a generation of four bytes each.
enum { inode_and_generation = 1 };

// The file system's number, the kind of the handle, and the handle: without a generation that the file's
// owner can set with FS_IOC_SETVERSION, as on ext4 without checksums.
static struct clinux_key make_key(const void *system, int32_t kind, const void *handle,
                                  uint32_t size) {
  struct clinux_key key = {0};
  if (size > clinux_handle_max) return key;
  if (kind == inode_and_generation && size == 8) size = 4;
  memcpy(key.bytes, system, 8);
  memcpy(key.bytes + 8, &kind, 4);
  memcpy(key.bytes + 12, handle, size);
  key.size = 12 + size;
  return key;
}

size_t clinux_journal_next(const void *buffer, size_t size, size_t offset,
                           struct clinux_journal_event *event) {
  struct fanotify_event_metadata head;
  if (offset > size || size - offset < sizeof head) return 0;
  const char *start = (const char *)buffer + offset;
  memcpy(&head, start, sizeof head);
  if (head.vers != FANOTIFY_METADATA_VERSION || head.event_len < head.metadata_len ||
      head.event_len > size - offset || head.metadata_len < sizeof head)
    return 0;
  *event = (struct clinux_journal_event){
      .process = FAN_NOPIDFD,
      .pid = head.pid,
      .is_created = (head.mask & FAN_CREATE) != 0,
      .is_modified = (head.mask & FAN_MODIFY) != 0,
      .is_closed = (head.mask & FAN_CLOSE_WRITE) != 0,
      .is_executed = (head.mask & FAN_OPEN_EXEC) != 0,
      .is_deleted = (head.mask & FAN_DELETE_SELF) != 0,
      .is_overflow = (head.mask & FAN_Q_OVERFLOW) != 0,
  };
  size_t position = head.metadata_len;
  while (head.event_len - position >= sizeof(struct fanotify_event_info_header)) {
    const char *record = start + position;
    struct fanotify_event_info_header info;
    memcpy(&info, record, sizeof info);
    if (info.len < sizeof info || info.len > head.event_len - position) break;
    // The directory's key has another type.
    if (info.info_type == FAN_EVENT_INFO_TYPE_FID) {
      size_t fixed = sizeof info + 8 + sizeof(struct file_handle);
      struct file_handle handle;
      if (info.len >= fixed) {
        memcpy(&handle, record + sizeof info + 8, sizeof handle);
        if (handle.handle_bytes <= info.len - fixed)
          event->key = make_key(record + sizeof info, handle.handle_type, record + fixed,
                                handle.handle_bytes);
      }
    } else if (info.info_type == FAN_EVENT_INFO_TYPE_PIDFD &&
               info.len >= sizeof(struct fanotify_event_info_pidfd)) {
      struct fanotify_event_info_pidfd process;
      memcpy(&process, record, sizeof process);
      event->process = process.pidfd;
    }
    position += info.len;
  }
  return offset + head.event_len;
}

int clinux_system_of(int file, struct clinux_system *system) {
  struct statfs status;
  int failed = (int)RETRIED(fstatfs(file, &status));
  if (failed) return failed;
  _Static_assert(sizeof status.f_fsid == sizeof system->number, "a number has 8 bytes");
  memcpy(&system->number, &status.f_fsid, sizeof system->number);
  system->magic = (uint64_t)status.f_type;
  return 0;
}

int clinux_system_identity(int file, uint64_t *number, uint64_t *device) {
  struct clinux_system system;
  int failed = clinux_system_of(file, &system);
  if (failed) return failed;
  int top = file;
  if (system.magic == BTRFS_SUPER_MAGIC) {
    top = open_top(file);
    if (top < 0) return top;
    failed = clinux_system_of(top, &system);
  }
  struct clinux_status status;
  if (!failed) failed = clinux_file_glance(top, &status);
  if (top != file) close(top);
  if (failed) return failed;
  *number = system.number;
  *device = (uint64_t)status.device_major << 32 | status.device_minor;
  return 0;
}

int clinux_file_handle(int file, struct clinux_handle *handle) {
  int mount;
  handle->size = sizeof handle->bytes;
  return (int)RETRIED(
      name_to_handle_at(file, "", (struct file_handle *)handle, &mount, AT_EMPTY_PATH));
}

int clinux_file_reopen(int file, const struct clinux_handle *handle) {
  int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  return (int)RETRIED(open_by_handle_at(file, (struct file_handle *)handle, flags));
}

struct clinux_key clinux_file_key(const struct clinux_handle *handle,
                                  const struct clinux_system *system) {
  // Events have the number of the whole file system, which that of a subvolume is made of.
  uint32_t number[2];
  memcpy(number, &system->number, sizeof number);
  if (handle->kind == btrfs_handle) {
    struct btrfs_handle own;
    memcpy(&own, handle->bytes, sizeof own);
    number[0] ^= (uint32_t)(own.tree >> 32);
    number[1] ^= (uint32_t)own.tree ^ btrfs_top;
  }
  return make_key(number, handle->kind, handle->bytes, handle->size);
}
