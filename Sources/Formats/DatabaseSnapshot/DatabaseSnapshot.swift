internal import CSQLite
internal import Glibc

/// Why a database cannot be read.
package struct DatabaseFailure: Error, Hashable, CustomStringConvertible {
  package let description: String
  /// Whether another attempt may succeed, since its program was writing.
  package let isMomentary: Bool

  package init(_ description: String, isMomentary: Bool = false) {
    self.description = description
    self.isMomentary = isMomentary
  }

  package static let writing = DatabaseFailure(
    "another program is writing", isMomentary: true)
  package static let late = DatabaseFailure("reading took too long")

  fileprivate init(code: CInt) {
    switch code {
    case SQLITE_BUSY: self = .writing
    case SQLITE_TOOBIG: self.init("a value, or the write-ahead log, is too large")
    default: self.init(unsafe String(cString: sqlite3_errstr(code)))
    }
  }
}

/// A SQLite database as it was at one moment, which is read while its program writes to it.
///
/// What is read counts only if ``isStale`` is false after that. To be used on one thread.
@safe package final class DatabaseSnapshot {
  package typealias Failure = DatabaseFailure

  package enum Value {
    case integer(Int64)
    case text([UInt8])
  }

  /// Which tables, views and indexes a database may have.
  package enum Schema: CInt {
    /// All of them are understood; no other database is read.
    case whole
    /// Those that SQLite alone does not understand are passed over: a part of several databases has views of
    /// the others, and another program's own kinds of tables.
    case partial
  }

  package let files: DatabaseFiles
  private let snapshot: OpaquePointer

  /// Reads a database that nobody writes to meanwhile.
  ///
  /// - Parameters:
  ///   - files: their descriptors stay open.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  /// - Throws: what `read` throws; a momentary failure if somebody has written: then the files are to be
  ///   opened anew.
  package static func reading<Answer>(
    _ files: DatabaseFiles, _ schema: Schema = .whole, deadline: Int,
    _ read: (DatabaseSnapshot) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let database = try DatabaseSnapshot(files, schema, deadline: deadline)
    let answer = Result { () throws(Failure) in try read(database) }
    // What was read in the middle of a change may look damaged.
    if database.isStale || !files.areCurrent { throw .writing }
    return try answer.get()
  }

  /// - Parameters:
  ///   - files: their descriptors must stay open as long as this is used.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  package init(
    _ files: DatabaseFiles, _ schema: Schema = .whole, deadline: Int
  ) throws(Failure) {
    self.files = files
    var made: OpaquePointer?
    let code = unsafe csqlite_open(
      files.database, files.log, files.journal, schema.rawValue, &made)
    guard code == SQLITE_OK, let made = unsafe made else { throw Failure(code: code) }
    unsafe snapshot = made
    unsafe csqlite_set_deadline(made, Int64(deadline))
  }

  deinit { unsafe csqlite_close(snapshot) }

  /// Whether somebody has written to the database since this was made.
  package var isStale: Bool { unsafe csqlite_is_stale(snapshot) != 0 }

  /// Whether tables are there: a program that makes its database begins with an empty one.
  ///
  /// - Throws: where only some of them are, or one is something else, such as a view.
  package func has(tables: [String]) throws(Failure) -> Bool {
    let list = tables.map { "'\($0)'" }.joined(separator: ",")
    var (count, others) = (0, 0)
    try rows(
      "SELECT type = 'table' AND rootpage > 0 FROM sqlite_schema WHERE name IN (\(list))", []
    ) { row in
      if row.integer(0) == 1 { count += 1 } else { others += 1 }
      return true
    }
    if count + others == 0 { return false }
    guard count == tables.count, others == 0 else {
      throw Failure("not the database of \(files.writer)")
    }
    return true
  }

  /// Hands over the rows of a statement one after the other, while the function returns true.
  package func rows(
    _ statement: String, _ values: [Value], _ take: (Row) throws(Failure) -> Bool
  ) throws(Failure) {
    var made: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      csqlite_handle(snapshot), statement, -1, 0, &made, nil)
    guard code == SQLITE_OK, let made = unsafe made else { throw Failure(code: code) }
    defer { unsafe sqlite3_finalize(made) }
    for (position, value) in values.enumerated() {
      let place = CInt(position + 1)
      let code =
        switch value {
        case .integer(let number): unsafe sqlite3_bind_int64(made, place, number)
        case .text(let bytes):
          unsafe bytes.withUnsafeBytes { bytes in
            // SQLite copies the bytes.
            unsafe sqlite3_bind_text(
              made, place, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
              CInt(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
          }
        }
      guard code == SQLITE_OK else { throw Failure(code: code) }
    }
    while true {
      switch unsafe sqlite3_step(made) {
      case SQLITE_ROW: if try !take(unsafe Row(statement: made)) { return }
      case SQLITE_DONE: return
      case SQLITE_INTERRUPT: throw .late
      case let code: throw Failure(code: code)
      }
    }
  }

  /// A row of a statement, which is valid until the next one.
  @safe package struct Row {
    fileprivate let statement: OpaquePointer

    /// `nil` if the column is no integer.
    package func integer(_ column: CInt) -> Int64? {
      guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
      return unsafe sqlite3_column_int64(statement, column)
    }

    /// More bytes than a path or a useful address has.
    package static let limit = 1 << 16

    /// The bytes of a text; `nil` if the column is none, is empty, or has more than 64 KiB.
    package func bytes(_ column: CInt) -> [UInt8]? {
      guard unsafe sqlite3_column_type(statement, column) == SQLITE_TEXT,
        let start = unsafe sqlite3_column_text(statement, column)
      else { return nil }
      let count = unsafe Int(sqlite3_column_bytes(statement, column))
      guard 1...Self.limit ~= count else { return nil }
      return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The bytes of a blob; `nil` if the column is none, or is empty.
    package func blob(_ column: CInt) -> [UInt8]? {
      guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB,
        let start = unsafe sqlite3_column_blob(statement, column)
      else { return nil }
      let count = unsafe Int(sqlite3_column_bytes(statement, column))
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// `nil` if that is no UTF-8, too.
    package func text(_ column: CInt) -> String? {
      bytes(column).flatMap { String(validating: $0, as: UTF8.self) }
    }
  }
}
