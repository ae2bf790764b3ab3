import CommandLineInterface
import FileTree
import LinuxSystem
import Manifest

/// Work on the files that a manifest names, on several threads.
///
/// What is done to one file is done in the order of the manifest, and what is said of all of them
/// comes in that order, as if there were one thread.
///
/// Two entries can name one file in different ways, which only its inode tells. To ask for that takes a fifth
/// of the time of an import, and most files have one entry. Work that begins with what only the first entry of
/// a file can do may therefore be allowed to overtake: entries are worked on in any order as long as all can
/// do it. The first that cannot waits for all before it, and learns which of those after it have done theirs;
/// from then on, all files are identified. The same holds from the first file on whose file system two might be
/// able to do it.
struct ManifestWork {
  /// What a part of the manifest holds.
  enum Item: Sendable {
    case entry(ManifestEntry, Place)
    case flaw(ManifestFailure)
  }

  /// What an entry's path leads to.
  enum Place: Sendable {
    case found(FoundPlace)
    /// To be looked up again, since too many directories would be open otherwise.
    case known
    case refused(TreeLookup.Refusal)

    /// The place, whose directory stays open as long as that is kept.
    func found(
      _ entry: ManifestEntry, _ lookup: TreeLookup
    ) throws(TreeLookup.Refusal) -> FoundPlace {
      switch self {
      case .found(let place): place
      case .known: try lookup.place(of: entry.path)
      case .refused(let refusal): throw refusal
      }
    }
  }

  /// How many directories stay open for the entries that a thread has.
  private static let openDirectories = 4

  let lookup: TreeLookup
  let console: Console

  /// Calls `body` with the items of a manifest, some at a time, on any thread.
  ///
  /// - Parameters:
  ///   - flawLimit: how many flaws a manifest may have; the rest of it is skipped after the last.
  ///   - mayOvertake: whether `body` asks for the order of entries where one has more to do than to write to a
  ///     file that carries nothing, and says nothing of those that it writes.
  ///   - body: is given the order of the items, and a lookup and a console for its thread.
  ///   - done: called with each result in the order of the manifest, after what `body` has said.
  /// - Returns: the number of flaws.
  func forEach<Result: Sendable>(
    of manifest: consuming ManifestReader, flawLimit: Int, mayOvertake: Bool,
    _ body: @escaping @Sendable (ArraySlice<Item>, EntryOrder, TreeLookup, Console) -> Result,
    done: @escaping (Result) -> Void
  ) -> Int {
    let (lookups, consoles) = (SharedLookup(lookup), SharedConsole(console))
    let queue = ManifestQueue<Result>(
      manifest, flawLimit: flawLimit, mayOvertake: mayOvertake, console, done: done)
    let workers = queue.begin(workers: TreeWalk.usualWorkers)
    ParallelBatch.forEach(workers, inPiecesOf: 1, workers: workers) { _ in
      let lookup = lookups.forThisThread()
      while let (turn, piece) = queue.take() {
        let (items, areIdentified) = Self.admitted(piece, turn, queue, lookup)
        let order = EntryOrder(lookup, areIdentified) {
          queue.waitForTurn(turn, written: items.prefix($0))
        }
        let held = HeldConsole(consoles)
        let result = items.isEmpty ? nil : body(items, order, lookup, held.console)
        queue.finish(turn, items, result, held.finish())
      }
    } done: { _ in
      true
    }
    return queue.flaws
  }

  /// The items of a piece that count, when they may be worked on.
  private static func admitted<Result>(
    _ piece: ManifestReader.Piece, _ turn: Int, _ queue: ManifestQueue<Result>, _ lookup: TreeLookup
  ) -> (items: ArraySlice<Item>, areIdentified: Bool) {
    while true {
      guard let items = items(piece, lookup, areIdentified: queue.identifiesFiles) else {
        queue.identifyFiles()
        continue
      }
      if let count = queue.admit(items, turn) { return (items.list[..<count], items.files != nil) }
    }
  }

  /// - Returns: `nil` if the files must be identified, and are not.
  private static func items(
    _ piece: ManifestReader.Piece, _ lookup: TreeLookup, areIdentified: Bool
  ) -> PieceItems? {
    var items = PieceItems(files: areIdentified ? FileFilter() : nil)
    var directories = 0
    var isLocal = true
    // Of a place that is kept.
    var last: ObjectIdentifier?
    piece.read { part in
      switch part {
      case .failure(let flaw):
        items.flaws.append((position: items.list.count, isFinal: flaw.isFinal))
        items.list.append(.flaw(flaw))
      case .success(let entry):
        do throws(TreeLookup.Refusal) {
          let place = try lookup.place(of: entry.path)
          if areIdentified { items.files?.insert(try place.identity(of: entry.path)) }
          if place.directoryIdentity != last {
            directories += 1
            isLocal = isLocal && (areIdentified || place.isOnLocalFileSystem)
          }
          let isKept = directories <= openDirectories
          if isKept { last = place.directoryIdentity }
          items.list.append(.entry(entry, isKept ? .found(place) : .known))
        } catch {
          items.list.append(.entry(entry, .refused(error)))
        }
      }
    }
    return isLocal ? items : nil
  }
}

/// Which files of a piece have been worked on for later entries.
final class EntryOrder {
  private let lookup: TreeLookup
  private let areIdentified: Bool
  /// Given how many entries of the piece have been worked on, waits for its turn and returns the paths of
  /// those that have overtaken it.
  private let waitForTurn: (Int) -> [FilePath]
  private var overtaken: Set<FileIdentity>?

  fileprivate init(
    _ lookup: TreeLookup, _ areIdentified: Bool, _ waitForTurn: @escaping (Int) -> [FilePath]
  ) {
    self.lookup = lookup
    self.areIdentified = areIdentified
    self.waitForTurn = waitForTurn
  }

  /// Whether a later entry for the file has been written, so that what this one would write must not take
  /// its place. Until this was asked, only files that carry nothing may be written.
  ///
  /// - Parameter position: that of the entry in the piece.
  func isOvertaken(
    _ entry: ManifestEntry, at position: Int, _ place: FoundPlace
  ) throws(TreeLookup.Refusal) -> Bool {
    guard !areIdentified else { return false }
    let file = try place.identity(of: entry.path)
    if let overtaken { return overtaken.contains(file) }
    let paths = waitForTurn(position)
    let files = Set(paths.compactMap { try? lookup.place(of: $0).identity(of: $0) })
    overtaken = files
    return files.contains(file)
  }
}

/// What a piece of a manifest holds.
private struct PieceItems {
  var list: [ManifestWork.Item] = []
  var flaws: [(position: Int, isFinal: Bool)] = []
  /// `nil` if the files were not identified.
  var files: FileFilter?

  init(files: FileFilter?) {
    self.files = files
    list.reserveCapacity(128)
  }
}

/// The pieces of a manifest on their way through several threads: read, taken, admitted and finished in their
/// order, and worked on between in any.
///
/// A thread reads while the others have pieces left to take, so that none waits for a file or a pipe as
/// long as there is work.
///
/// `@unchecked`: the mutex is held wherever one of the variables is read or written, or one of the closures
/// is called; the manifest is read without it, by one thread at a time.
@safe
private final class ManifestQueue<Result: Sendable>: @unchecked Sendable {
  /// How many pieces may be ahead of the first that is not finished.
  private static var limit: Int { 64 }

  private var manifest: ManifestReader
  private let flawLimit: Int
  private let console: Console
  private let done: (Result) -> Void
  private(set) var flaws = 0

  private let turns = Monitor()
  /// More is read when fewer pieces than these are left to take, some of which may be short.
  private var reserve = 1
  private var isReading = false
  /// The pieces that have been read and not been taken.
  private var ready: [ManifestReader.Piece] = []
  /// Pieces are counted from 0 where they are taken, admitted and finished.
  private var taken = 0
  private var admitted = 0
  private var finished = 0
  private var isAtEnd = false
  /// Whether what follows the pieces that were admitted is skipped.
  private var hasEnded = false
  private var isIdentifying: Bool
  /// The files of the pieces that are being worked on; `nil` for one whose files were not identified.
  private var busy: [Int: FileFilter?] = [:]
  /// What has been written of pieces whose files were not identified, and that are finished or wait for
  /// their turn, while earlier ones are being worked on.
  private var overtaking: [Int: [FilePath]] = [:]
  private var results: [Int: (result: Result?, words: Transcript)] = [:]

  init(
    _ manifest: consuming ManifestReader, flawLimit: Int, mayOvertake: Bool, _ console: Console,
    done: @escaping (Result) -> Void
  ) {
    self.manifest = manifest
    self.flawLimit = flawLimit
    isIdentifying = !mayOvertake
    self.console = console
    self.done = done
  }

  /// Whether the files of a piece are to be identified before it is admitted.
  var identifiesFiles: Bool { turns.withLock { isIdentifying } }

  /// Has the files of all pieces that were not admitted yet identified.
  func identifyFiles() { turns.withLock { isIdentifying = true } }

  /// Reads the first pieces.
  ///
  /// - Parameter workers: how many threads may take pieces.
  /// - Returns: how many are to: one if these few pieces are the whole manifest, for which another thread would
  ///   not be worth its start.
  func begin(workers: Int) -> Int {
    // The first line is a piece by itself.
    read()
    read()
    return turns.withLock {
      let workers = isAtEnd && ready.count <= 2 ? 1 : workers
      // A thread by itself works before it waits for more.
      reserve = workers == 1 ? 1 : 2 * workers
      return workers
    }
  }

  /// The next piece, with its turn; `nil` at the end.
  func take() -> (turn: Int, piece: ManifestReader.Piece)? {
    while true {
      switch turns.withLock(nextStep) {
      case .read: read()
      case .work(let turn, let piece): return (turn, piece)
      case .end: return nil
      }
    }
  }

  private enum Step {
    case read
    case work(turn: Int, ManifestReader.Piece)
    case end
  }

  /// Waits until there is something to do for a thread, which has the lock.
  private func nextStep() -> Step {
    turns.wait {
      hasEnded || ready.isEmpty && isAtEnd
        || taken - finished < Self.limit && !(ready.isEmpty && isReading)
    }
    if hasEnded || ready.isEmpty && isAtEnd { return .end }
    if ready.count < reserve, !isAtEnd, !isReading {
      isReading = true
      return .read
    }
    taken += 1
    return .work(turn: taken - 1, ready.removeFirst())
  }

  private func read() {
    let pieces = manifest.pieces()
    turns.withLock {
      ready += pieces
      isAtEnd = pieces.isEmpty
      isReading = false
      turns.broadcast()
    }
  }

  /// Waits until the items of all pieces before are known and, if files are identified, none of their files is
  /// being worked on that is in this piece, under this or another name.
  ///
  /// - Returns: how many of the items count: those up to the last flaw that is allowed, or that ends the
  ///   manifest; `nil` if the files are to be identified first.
  func admit(_ items: PieceItems, _ turn: Int) -> Int? {
    turns.withLock {
      turns.wait { admitted == turn }
      guard items.files != nil || !isIdentifying else { return nil }
      defer {
        admitted += 1
        turns.broadcast()
      }
      guard !hasEnded else { return 0 }
      if let files = items.files {
        turns.wait { !busy.values.contains { $0?.mayShare(with: files) ?? true } }
      }
      busy.updateValue(items.files, forKey: turn)
      for flaw in items.flaws {
        flaws += 1
        hasEnded = hasEnded || flaws == flawLimit || flaw.isFinal
        if hasEnded { return flaw.position + 1 }
      }
      return items.list.count
    }
  }

  /// Waits until the pieces before are finished, and nothing more is written of those after until this is.
  ///
  /// - Parameter written: what has been written of the piece.
  /// - Returns: the paths of the entries after it that have been.
  func waitForTurn(_ turn: Int, written: ArraySlice<ManifestWork.Item>) -> [FilePath] {
    turns.withLock {
      isIdentifying = true
      overtaking[turn] = Self.paths(written)
      turns.broadcast()
      turns.wait { busy.keys.allSatisfy { $0 == turn || $0 > turn && overtaking[$0] != nil } }
      return overtaking.filter { $0.key > turn }.flatMap(\.value)
    }
  }

  private static func paths(_ items: ArraySlice<ManifestWork.Item>) -> [FilePath] {
    items.compactMap { if case .entry(let entry, _) = $0 { entry.path } else { nil } }
  }

  /// Says what the work on a piece has said, once that on those before is finished.
  func finish(
    _ turn: Int, _ items: ArraySlice<ManifestWork.Item>, _ result: Result?, _ words: Transcript
  ) {
    turns.withLock {
      if let files = busy.removeValue(forKey: turn), files == nil, turn > finished {
        overtaking[turn] = Self.paths(items)
      }
      results[turn] = (result, words)
      while let next = results.removeValue(forKey: finished) {
        overtaking[finished] = nil
        console.passOn(next.words)
        if let result = next.result { done(result) }
        finished += 1
      }
      turns.broadcast()
    }
  }
}

/// The files of a piece, as far as it takes to know that two pieces share none.
private struct FileFilter {
  private var bits = [UInt64](repeating: 0, count: 64)

  mutating func insert(_ file: FileIdentity) {
    let number = Int(truncatingIfNeeded: file.inode) & 4095
    bits[number >> 6] |= 1 << UInt64(number & 63)
  }

  func mayShare(with other: FileFilter) -> Bool {
    zip(bits, other.bits).contains { $0 & $1 != 0 }
  }
}
