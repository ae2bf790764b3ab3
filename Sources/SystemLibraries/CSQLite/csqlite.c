#define _GNU_SOURCE
#include "csqlite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The forms of the files: https://www.sqlite.org/fileformat2.html
enum {
  header_size = 100,
  write_version_offset = 18,
  read_version_offset = 19,
  log_header_size = 32,
  frame_header_size = 24,
  log_version = 3007000,
  log_limit = 64 << 20,
  // Statements look at the clock after so many instructions of SQLite's machine.
  instructions = 1000,
};

static const unsigned char journal_magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

// Where the newest page of a number is in the log; 0 if the place is free.
struct place {
  uint32_t page;
  uint32_t frame;
};

struct csqlite_snapshot {
  sqlite3_vfs vfs;
  char name[32];
  sqlite3 *handle;
  int database;
  int log;
  int journal;
  struct stat status;
  unsigned char log_header[log_header_size];
  unsigned char *frames;
  size_t frames_size;
  uint32_t page_size;
  // The pages of the log, by a table of 2^n places; NULL if the log has none.
  struct place *places;
  uint32_t mask;
  // The size of the database in pages, as the log has it.
  uint32_t page_count;
  int64_t deadline;
};

struct file {
  sqlite3_file base;
  csqlite_snapshot *snapshot;
};

static uint32_t big(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t little(const unsigned char *bytes) {
  return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

// As many bytes as there are; -1 if they cannot be read.
static ssize_t read_at(int file, void *bytes, size_t count, off_t offset) {
  size_t done = 0;
  while (done < count) {
    ssize_t size = pread(file, (char *)bytes + done, count - done, offset + (off_t)done);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return -1;
    if (size == 0) break;
    done += (size_t)size;
  }
  return (ssize_t)done;
}

// The log

struct sums {
  uint32_t first, second;
};

static void add(struct sums *sums, const unsigned char *bytes, size_t count, int is_big) {
  for (size_t i = 0; i + 8 <= count; i += 8) {
    sums->first += (is_big ? big(bytes + i) : little(bytes + i)) + sums->second;
    sums->second += (is_big ? big(bytes + i + 4) : little(bytes + i + 4)) + sums->first;
  }
}

static struct place *find(const csqlite_snapshot *snapshot, uint32_t page) {
  uint32_t at = page * 2654435761u & snapshot->mask;
  while (snapshot->places[at].page != 0 && snapshot->places[at].page != page)
    at = (at + 1) & snapshot->mask;
  return &snapshot->places[at];
}

static const unsigned char *frame(const csqlite_snapshot *snapshot, size_t number) {
  return snapshot->frames + number * (frame_header_size + (size_t)snapshot->page_size);
}

int csqlite_status(int file, struct stat *status) { return (int)syscall(SYS_fstat, file, status); }

// Finds the frames of the log that were committed: each has the log's salts and sums of all that
// stands before it, so that the first that has not is of an earlier use of the file, or not yet written.
static int read_log(csqlite_snapshot *snapshot) {
  struct stat status;
  if (csqlite_status(snapshot->log, &status) < 0) return SQLITE_IOERR_FSTAT;
  if (status.st_size > log_limit) return SQLITE_TOOBIG;
  unsigned char *header = snapshot->log_header;
  if (read_at(snapshot->log, header, log_header_size, 0) != log_header_size) return SQLITE_OK;
  uint32_t magic = big(header), page_size = big(header + 8);
  int is_big = magic & 1;
  struct sums sums = {0, 0};
  add(&sums, header, 24, is_big);
  if ((magic & ~1u) != 0x377f0682 || big(header + 4) != log_version || page_size < 512
      || page_size > 65536 || (page_size & (page_size - 1)) != 0 || sums.first != big(header + 24)
      || sums.second != big(header + 28))
    return SQLITE_OK;
  snapshot->page_size = page_size;
  size_t size = frame_header_size + (size_t)page_size;
  size_t count = ((size_t)status.st_size - log_header_size) / size;
  if ((size_t)status.st_size < log_header_size + size) return SQLITE_OK;
  snapshot->frames = malloc(count * size);
  if (!snapshot->frames) return SQLITE_NOMEM;
  ssize_t read = read_at(snapshot->log, snapshot->frames, count * size, log_header_size);
  if (read < 0) return SQLITE_IOERR_READ;
  count = (size_t)read / size;
  size_t committed = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned char *bytes = frame(snapshot, i);
    if (memcmp(bytes + 8, header + 16, 8) != 0 || big(bytes) == 0) break;
    add(&sums, bytes, 8, is_big);
    add(&sums, bytes + frame_header_size, page_size, is_big);
    if (sums.first != big(bytes + 16) || sums.second != big(bytes + 20)) break;
    if (big(bytes + 4) != 0) {
      committed = i + 1;
      snapshot->page_count = big(bytes + 4);
    }
  }
  if (committed == 0) return SQLITE_OK;
  snapshot->mask = 1;
  while (snapshot->mask < 2 * committed) snapshot->mask *= 2;
  snapshot->places = calloc(snapshot->mask, sizeof *snapshot->places);
  if (!snapshot->places) return SQLITE_NOMEM;
  snapshot->mask -= 1;
  for (size_t i = 0; i < committed; i++) {
    uint32_t page = big(frame(snapshot, i));
    *find(snapshot, page) = (struct place){page, (uint32_t)i};
  }
  return SQLITE_OK;
}

// The file as SQLite sees it

static int close_file(sqlite3_file *file) {
  (void)file;
  return SQLITE_OK;
}

static int read_file(sqlite3_file *file, void *bytes, int amount, sqlite3_int64 offset) {
  csqlite_snapshot *snapshot = ((struct file *)file)->snapshot;
  if (amount < 0 || offset < 0) return SQLITE_IOERR_READ;
  size_t count = (size_t)amount;
  const unsigned char *page = NULL;
  if (snapshot->places) {
    uint64_t number = (uint64_t)offset / snapshot->page_size + 1;
    const struct place *place = number <= UINT32_MAX ? find(snapshot, (uint32_t)number) : NULL;
    if (place && place->page != 0) page = frame(snapshot, place->frame) + frame_header_size;
  }
  if (page) {
    size_t start = (size_t)offset % snapshot->page_size;
    if (count > snapshot->page_size - start) return SQLITE_IOERR_READ;
    memcpy(bytes, page + start, count);
  } else {
    ssize_t done = read_at(snapshot->database, bytes, count, offset);
    if (done < 0) return SQLITE_IOERR_READ;
    if ((size_t)done < count) {
      memset((char *)bytes + done, 0, count - (size_t)done);
      return SQLITE_IOERR_SHORT_READ;
    }
  }
  // The log is read here: SQLite is to take the database for one that has none.
  for (int at = write_version_offset; at <= read_version_offset; at++)
    if (offset <= at && at < offset + amount && ((unsigned char *)bytes)[at - offset] == 2)
      ((unsigned char *)bytes)[at - offset] = 1;
  return SQLITE_OK;
}

static int write_file(sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 offset) {
  (void)file, (void)bytes, (void)amount, (void)offset;
  return SQLITE_READONLY;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  (void)file, (void)size;
  return SQLITE_READONLY;
}

static int sync_file(sqlite3_file *file, int flags) {
  (void)file, (void)flags;
  return SQLITE_OK;
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size) {
  csqlite_snapshot *snapshot = ((struct file *)file)->snapshot;
  *size = snapshot->places ? (sqlite3_int64)snapshot->page_count * snapshot->page_size
                           : snapshot->status.st_size;
  return SQLITE_OK;
}

static int lock(sqlite3_file *file, int level) {
  (void)file, (void)level;
  return SQLITE_OK;
}

static int find_lock(sqlite3_file *file, int *is_reserved) {
  (void)file;
  *is_reserved = 0;
  return SQLITE_OK;
}

static int control(sqlite3_file *file, int code, void *value) {
  (void)file, (void)code, (void)value;
  return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *file) {
  (void)file;
  return 4096;
}

static int characteristics(sqlite3_file *file) {
  (void)file;
  return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock,
    .xUnlock = lock,
    .xCheckReservedLock = find_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                     int *given) {
  (void)name;
  file->pMethods = NULL;
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
  *(struct file *)file = (struct file){{&methods}, vfs->pAppData};
  if (given) *given = flags;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int is_synced) {
  (void)vfs, (void)name, (void)is_synced;
  return SQLITE_READONLY;
}

static int find_file(sqlite3_vfs *vfs, const char *name, int flags, int *is_there) {
  (void)vfs, (void)name, (void)flags;
  *is_there = 0;
  return SQLITE_OK;
}

static int whole_name(sqlite3_vfs *vfs, const char *name, int size, char *whole) {
  (void)vfs;
  snprintf(whole, (size_t)size, "%s", name);
  return SQLITE_OK;
}

static int random_bytes(sqlite3_vfs *vfs, int count, char *bytes) {
  (void)vfs;
  memset(bytes, 0, (size_t)count);
  return count;
}

static int rest(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

static int current_time(sqlite3_vfs *vfs, double *days) {
  (void)vfs;
  *days = 0;
  return SQLITE_OK;
}

static int last_error(sqlite3_vfs *vfs, int size, char *words) {
  (void)vfs, (void)size, (void)words;
  return 0;
}

// The snapshot

static int authorize(void *snapshot, int action, const char *first, const char *second,
                     const char *database, const char *view) {
  (void)snapshot, (void)first, (void)second, (void)database;
  if (view) return SQLITE_DENY;
  return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static int is_late(void *context) {
  const csqlite_snapshot *snapshot = context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000 >= snapshot->deadline;
}

// Whether pages of the database may be there that a transaction writes, or has left.
static int is_in_transaction(const csqlite_snapshot *snapshot) {
  unsigned char magic[sizeof journal_magic];
  return snapshot->journal >= 0
         && read_at(snapshot->journal, magic, sizeof magic, 0) == sizeof magic
         && memcmp(magic, journal_magic, sizeof magic) == 0;
}

static int begin(csqlite_snapshot *snapshot, int is_partial) {
  if (csqlite_status(snapshot->database, &snapshot->status) < 0) return SQLITE_IOERR_FSTAT;
  if (!S_ISREG(snapshot->status.st_mode)) return SQLITE_NOTADB;
  if (is_in_transaction(snapshot)) return SQLITE_BUSY;
  int code = snapshot->log >= 0 ? read_log(snapshot) : SQLITE_OK;
  if (code != SQLITE_OK) return code;
  snprintf(snapshot->name, sizeof snapshot->name, "snapshot-%p", (void *)snapshot);
  snapshot->vfs = (sqlite3_vfs){
      .iVersion = 1,
      .szOsFile = sizeof(struct file),
      .mxPathname = 64,
      .zName = snapshot->name,
      .pAppData = snapshot,
      .xOpen = open_file,
      .xDelete = delete_file,
      .xAccess = find_file,
      .xFullPathname = whole_name,
      .xRandomness = random_bytes,
      .xSleep = rest,
      .xCurrentTime = current_time,
      .xGetLastError = last_error,
  };
  code = sqlite3_vfs_register(&snapshot->vfs, 0);
  if (code != SQLITE_OK) return code;
  code = sqlite3_open_v2("database", &snapshot->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                         snapshot->name);
  if (code != SQLITE_OK) return code;
  sqlite3 *handle = snapshot->handle;
  const int switches[][2] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
      // Also has SQLite go on after what it does not understand; DEFENSIVE keeps the schema as it is.
      {SQLITE_DBCONFIG_WRITABLE_SCHEMA, is_partial},
  };
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
    sqlite3_db_config(handle, switches[i][0], switches[i][1], NULL);
  static const int limits[][2] = {
      {SQLITE_LIMIT_LENGTH, 8 << 20},    {SQLITE_LIMIT_SQL_LENGTH, 100000},
      {SQLITE_LIMIT_COLUMN, 100},        {SQLITE_LIMIT_EXPR_DEPTH, 20},
      {SQLITE_LIMIT_COMPOUND_SELECT, 3}, {SQLITE_LIMIT_VDBE_OP, 25000},
      {SQLITE_LIMIT_FUNCTION_ARG, 8},    {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
      {SQLITE_LIMIT_VARIABLE_NUMBER, 10}, {SQLITE_LIMIT_TRIGGER_DEPTH, 10},
      {SQLITE_LIMIT_WORKER_THREADS, 0},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    sqlite3_limit(handle, limits[i][0], limits[i][1]);
  sqlite3_extended_result_codes(handle, 0);
  // Sorting uses no files, and pages are checked as they are read.
  code = sqlite3_exec(handle, "PRAGMA temp_store = 2; PRAGMA cell_size_check = 1", NULL, NULL, NULL);
  sqlite3_set_authorizer(handle, authorize, NULL);
  snapshot->deadline = INT64_MAX;
  sqlite3_progress_handler(handle, instructions, is_late, snapshot);
  return code;
}

int csqlite_open(int database, int log, int journal, int is_partial, csqlite_snapshot **snapshot) {
  *snapshot = NULL;
  csqlite_snapshot *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
  made->database = database;
  made->log = log;
  made->journal = journal;
  int code = begin(made, is_partial);
  if (code == SQLITE_OK)
    *snapshot = made;
  else
    csqlite_close(made);
  return code;
}

sqlite3 *csqlite_handle(const csqlite_snapshot *snapshot) { return snapshot->handle; }

void csqlite_set_deadline(csqlite_snapshot *snapshot, int64_t milliseconds) {
  snapshot->deadline = milliseconds;
}

int csqlite_is_stale(const csqlite_snapshot *snapshot) {
  struct stat status;
  if (csqlite_status(snapshot->database, &status) < 0) return 1;
  const struct stat *former = &snapshot->status;
  if (status.st_size != former->st_size || status.st_mtim.tv_sec != former->st_mtim.tv_sec
      || status.st_mtim.tv_nsec != former->st_mtim.tv_nsec || is_in_transaction(snapshot))
    return 1;
  if (!snapshot->frames) return 0;
  // A log that is begun anew has another salt.
  unsigned char header[log_header_size];
  return read_at(snapshot->log, header, sizeof header, 0) != sizeof header
         || memcmp(header, snapshot->log_header, sizeof header) != 0;
}

void csqlite_close(csqlite_snapshot *snapshot) {
  sqlite3_close(snapshot->handle);
  if (snapshot->vfs.zName) sqlite3_vfs_unregister(&snapshot->vfs);
  free(snapshot->places);
  free(snapshot->frames);
  free(snapshot);
}
