import CommandLineInterface
import FileTree
import LinuxSystem
import Manifest
import Synchronization

/// Work on the files that a manifest names, on several threads.
///
/// What is done to one file is done in the order of the manifest, and what is said of all of them
/// comes in that order, as if there were one thread.
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
  ///   - body: is given a lookup and a console for its thread.
  ///   - done: called with each result in the order of the manifest, after what `body` has said.
  /// - Returns: the number of flaws.
  func forEach<Result: Sendable>(
    of manifest: consuming ManifestReader, flawLimit: Int,
    _ body: @escaping @Sendable (ArraySlice<Item>, TreeLookup, Console) -> Result,
    done: @escaping (Result) -> Void
  ) -> Int {
    let (lookups, consoles) = (SharedLookup(lookup), SharedConsole(console))
    let queue = ManifestQueue<Result>(manifest, flawLimit: flawLimit, console, done: done)
    let first = queue.takeFirst()
    let workers = first.isWhole ? 1 : TreeWalk.usualWorkers
    let start = Mutex(first.pieces[...])
    ParallelBatch.forEach(workers, inPiecesOf: 1, workers: workers) { _ in
      let lookup = lookups.forThisThread()
      while let (turn, piece) = start.withLock({ $0.popFirst() }) ?? queue.take() {
        let items = Self.items(piece, lookup)
        let count = queue.admit(items, turn)
        let held = HeldConsole(consoles)
        let result = count > 0 ? body(items.list[..<count], lookup, held.console) : nil
        queue.finish(turn, result, held.finish())
      }
    } done: { _ in
      true
    }
    return queue.flaws
  }

  private static func items(
    _ piece: ManifestReader.Piece, _ lookup: TreeLookup
  ) -> PieceItems {
    var items = PieceItems()
    var directories = 0
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
          items.files.insert(place.identity)
          if place.directoryIdentity != last { directories += 1 }
          let isKept = directories <= openDirectories
          if isKept { last = place.directoryIdentity }
          items.list.append(.entry(entry, isKept ? .found(place) : .known))
        } catch {
          items.list.append(.entry(entry, .refused(error)))
        }
      }
    }
    return items
  }
}

/// What a piece of a manifest holds.
private struct PieceItems {
  var list: [ManifestWork.Item] = []
  var flaws: [(position: Int, isFinal: Bool)] = []
  var files = FileFilter()

  init() { list.reserveCapacity(128) }
}

/// The pieces of a manifest on their way through several threads: taken, admitted and finished in their
/// order, and worked on between in any.
///
/// `@unchecked`: the mutex is held wherever one of the variables is read or written, or one of the closures
/// is called.
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
  /// Pieces are counted from 0 where they are taken, admitted and finished.
  private var taken = 0
  private var admitted = 0
  private var finished = 0
  private var isAtEnd = false
  /// Whether what follows the pieces that were admitted is skipped.
  private var hasEnded = false
  /// The files of the pieces that are being worked on.
  private var busy: [Int: FileFilter] = [:]
  private var results: [Int: (result: Result?, words: Transcript)] = [:]

  init(
    _ manifest: consuming ManifestReader, flawLimit: Int, _ console: Console,
    done: @escaping (Result) -> Void
  ) {
    self.manifest = manifest
    self.flawLimit = flawLimit
    self.console = console
    self.done = done
  }

  /// The first pieces, with their turns, and whether they are the whole manifest: then another thread would
  /// not be worth its start.
  func takeFirst() -> (pieces: [(turn: Int, piece: ManifestReader.Piece)], isWhole: Bool) {
    // The first line is one by itself.
    let pieces = (0..<3).compactMap { _ in take() }
    return (pieces, turns.withLock { isAtEnd })
  }

  /// The next piece, with its turn; `nil` at the end.
  func take() -> (turn: Int, piece: ManifestReader.Piece)? {
    turns.withLock {
      turns.wait { self.isAtEnd || taken - finished < Self.limit }
      guard !isAtEnd, let piece = manifest.piece() else {
        isAtEnd = true
        return nil
      }
      taken += 1
      return (taken - 1, piece)
    }
  }

  /// Waits until the items of all pieces before are known and none of their files is being worked on that
  /// is in this piece, under this or another name.
  ///
  /// - Returns: how many of the items count: those up to the last flaw that is allowed, or that ends the
  ///   manifest.
  func admit(_ items: PieceItems, _ turn: Int) -> Int {
    turns.withLock {
      turns.wait { admitted == turn }
      defer {
        admitted += 1
        turns.broadcast()
      }
      guard !hasEnded else { return 0 }
      turns.wait { !busy.values.contains { $0.mayShare(with: items.files) } }
      busy[turn] = items.files
      for flaw in items.flaws {
        flaws += 1
        hasEnded = hasEnded || flaws == flawLimit || flaw.isFinal
        if hasEnded {
          isAtEnd = true
          return flaw.position + 1
        }
      }
      return items.list.count
    }
  }

  /// Says what the work on a piece has said, once that on those before is finished.
  func finish(_ turn: Int, _ result: Result?, _ words: Transcript) {
    turns.withLock {
      busy[turn] = nil
      results[turn] = (result, words)
      while let next = results.removeValue(forKey: finished) {
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
