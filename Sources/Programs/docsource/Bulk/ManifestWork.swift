import CommandLineInterface
import FileTree
import LinuxSystem
import Manifest

/// Work on the files that a manifest names, on several threads.
///
/// What is done to one file is done in the order of the manifest, and what is said of all of them
/// comes in that order, as if there were one thread.
struct ManifestWork {
  /// What a part of the manifest holds.
  enum Item: Sendable {
    case entry(ManifestEntry, Place)
    case flaw(ManifestFailure)
    case nothing

    fileprivate init(_ part: ManifestReader.Part, _ lookup: TreeLookup) {
      do throws(ManifestFailure) {
        self = try part.entry().map { .entry($0, Place(of: $0, lookup)) } ?? .nothing
      } catch {
        self = .flaw(error)
      }
    }

    fileprivate var isFlaw: Bool {
      if case .flaw = self { true } else { false }
    }
  }

  /// What an entry's path leads to.
  enum Place: Sendable {
    case file(FoundFile)
    /// To be looked up again, since too many directories would be open otherwise.
    case known(FileIdentity)
    case refused(TreeLookup.Refusal)

    fileprivate init(of entry: ManifestEntry, _ lookup: TreeLookup) {
      do throws(TreeLookup.Refusal) {
        self = .file(try lookup.find(entry.path))
      } catch {
        self = .refused(error)
      }
    }

    /// The file, which stays within reach until the lookup's next call.
    func file(
      of entry: ManifestEntry, _ lookup: TreeLookup
    ) throws(TreeLookup.Refusal) -> FileReference {
      switch self {
      case .file(let file): file.reference
      case .known: try lookup.file(at: entry.path)
      case .refused(let refusal): throw refusal
      }
    }

    fileprivate var identity: FileIdentity? {
      switch self {
      case .file(let file): file.identity
      case .known(let identity): identity
      case .refused: nil
      }
    }
  }

  /// The parts that a thread takes at a time.
  private static let piece = 64
  /// The parts that are read before the files of any are written.
  private static let batch = 2048
  /// How many directories stay open for each piece of a batch, which has 32.
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
    done: (Result) -> Void
  ) -> Int {
    let (lookups, consoles) = (SharedLookup(lookup), SharedConsole(console))
    var flaws = 0
    while flaws < flawLimit {
      let parts = manifest.parts()
      if parts.isEmpty { break }
      for start in stride(from: 0, to: parts.count, by: Self.batch) where flaws < flawLimit {
        let batch = parts[start...].prefix(Self.batch)
        let read = ParallelBatch.map(batch.count, inPiecesOf: Self.piece) { range in
          Self.items(batch[start + range.lowerBound..<start + range.upperBound], lookups)
        }
        let items = Self.items(read.joined(), upTo: flawLimit, &flaws)
        for run in Self.runs(of: items) {
          let results = ParallelBatch.map(run.count, inPiecesOf: Self.piece) { range in
            let held = HeldConsole(consoles)
            let some = run.lowerBound + range.lowerBound..<run.lowerBound + range.upperBound
            let result = body(items[some], lookups.forThisThread(), held.console)
            return (result: result, words: held.finish())
          }
          for (result, words) in results {
            console.passOn(words)
            done(result)
          }
        }
      }
    }
    return flaws
  }

  private static func items(
    _ parts: ArraySlice<ManifestReader.Part>, _ lookups: SharedLookup
  ) -> [Item] {
    let lookup = lookups.forThisThread()
    var directories = 0
    var last: FoundFile?
    return parts.map { part in
      let item = Item(part, lookup)
      guard case .entry(let entry, .file(let file)) = item else { return item }
      if last.map(file.sharesDirectory) != true { directories += 1 }
      if directories > openDirectories { return .entry(entry, .known(file.identity)) }
      last = file
      return item
    }
  }

  /// The items up to the last flaw that is allowed.
  private static func items(
    _ read: some Sequence<Item>, upTo flawLimit: Int, _ flaws: inout Int
  ) -> [Item] {
    var items: [Item] = []
    for item in read where flaws < flawLimit {
      if item.isFlaw { flaws += 1 }
      items.append(item)
    }
    return items
  }

  /// The longest runs of items in which no file occurs twice, under this or another name.
  private static func runs(of items: [Item]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    var files: Set<FileIdentity> = []
    for (position, item) in items.enumerated() {
      guard case .entry(_, let place) = item, let file = place.identity,
        !files.insert(file).inserted
      else { continue }
      runs.append(start..<position)
      start = position
      files = [file]
    }
    return runs + [start..<items.count]
  }
}
