/// SQLite databases beside the programs that write them.
///
/// A snapshot is a database as it was at one moment. Reading it takes no lock and asks for none, waits
/// for nobody, and opens and writes no file: the database, its write-ahead log and its rollback journal
/// are descriptors. Whoever has read asks csqlite_is_stale whether somebody has written meanwhile: what
/// was read is of no moment then, and is to be read again.
///
/// The database is untrusted input. Statements may only read tables: functions, pragmas, attached
/// databases and all changes are refused; the schema is not trusted. See "Defense Against The Dark
/// Arts" of SQLite's documentation.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>
#include <stdint.h>
#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csqlite_snapshot csqlite_snapshot;

/// fstat(2) itself, which a sandbox that refuses paths may allow: the C library's function asks
/// newfstatat. Returns a negative number if it fails.
int csqlite_status(int file, struct stat *_Nonnull status);

/// Begins a snapshot. The descriptors must stay open until csqlite_close.
///
/// Returns SQLITE_OK, or SQLITE_BUSY while a writer is in the middle of a transaction,
/// SQLITE_TOOBIG if the log is larger than 64 MiB, SQLITE_NOTADB or another code of SQLite's.
///
/// log: that of the write-ahead log (the file's name ends in -wal), or -1 if there is none.
/// journal: that of the rollback journal (-journal), or -1.
/// is_partial: whether tables and views that SQLite alone does not understand are passed over.
int csqlite_open(int database, int log, int journal, int is_partial,
                 csqlite_snapshot *_Nullable *_Nonnull snapshot);
/// For sqlite3_prepare_v3 and the functions that follow that one.
sqlite3 *_Nonnull csqlite_handle(const csqlite_snapshot *_Nonnull snapshot);
/// Statements fail with SQLITE_INTERRUPT after a time of CLOCK_MONOTONIC, in milliseconds.
void csqlite_set_deadline(csqlite_snapshot *_Nonnull snapshot, int64_t milliseconds);
/// Whether somebody has written to the database since the snapshot has begun.
int csqlite_is_stale(const csqlite_snapshot *_Nonnull snapshot);
/// Frees the snapshot, whose statements must be finalized.
void csqlite_close(csqlite_snapshot *_Nonnull snapshot);

#ifdef __cplusplus
}
#endif

#endif
