internal import Glibc

/// Why the bytes of an index are not read.
package struct GitIndexFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// It does not begin as an index does.
    case noIndex
    /// Versions 2, 3 and 4 are known.
    case unknownVersion(UInt32)
    /// The bytes end within an entry, an extension or the checksum, or there are more of them.
    case wrongLength
    /// A name is empty, is cut, goes on after its end, or takes more from the name before than that has.
    case brokenName
    /// A name is longer than any path.
    case longName
    /// Names and stages do not ascend.
    case wrongOrder
    /// The entry has flags that this version has not.
    case unknownFlags
    /// Without this extension the entries are not to be understood: `link` of a split index, `sdir` of one with
    /// whole directories as entries.
    case unknownExtension([UInt8])
  }

  package let reason: Reason
  /// Of the entry or the extension that is meant.
  package let offset: Int

  package init(_ reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

/// Finds paths in the index of a repository of git, in one pass over its entries.
///
/// gitformat-index(5) has the format. Names of objects are those of SHA-1, of 20 bytes: an index of a repository
/// with SHA-256 has another length. As git itself when it reads an index, this does not compute the checksum.
package enum GitIndex {
  /// A file as it was added.
  package struct Entry: Hashable, Sendable {
    package struct Moment: Hashable, Sendable {
      /// Since 1970, the lower 32 bits.
      package let seconds: UInt32
      package let nanoseconds: UInt32

      package init(seconds: UInt32, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
      }
    }

    /// Of the status, as of the contents.
    package let changed: Moment
    package let modified: Moment
    /// The lower 32 bits.
    package let inode: UInt32
    /// As in trees: a type, and 0o644 or 0o755 of files.
    package let mode: UInt32
    package let user: UInt32
    package let group: UInt32
    /// In bytes, the lower 32 bits; also 0 where the content has yet to be compared.
    package let size: UInt32
    /// The name of the object, 20 bytes.
    package let object: [UInt8]
    /// 0, or 1 to 3 of the versions of a merge that is not finished.
    package let stage: Int
    /// git update-index --assume-unchanged
    package let isAssumedUnchanged: Bool
    /// git update-index --skip-worktree
    package let isNotInWorkTree: Bool
    /// git add --intent-to-add
    package let isIntended: Bool
  }

  /// What there is of a path.
  package struct Match: Hashable, Sendable {
    /// The stages of a file.
    package fileprivate(set) var entries: [Entry] = []
    /// Whether there are entries below, so that the path is that of a directory.
    package fileprivate(set) var hasEntriesBelow = false

    package init() {}
  }

  /// Finds paths.
  ///
  /// - Parameter paths: without a slash at either end; the work tree itself is empty. The time it takes is that of
  ///   the entries times the paths.
  /// - Returns: a match for each path.
  package static func find(
    _ paths: [[UInt8]], in index: Span<UInt8>
  ) throws(GitIndexFailure) -> [Match] {
    try Search(paths: paths).run(index)
  }
}

/// The pass over the entries.
private struct Search {
  private static let (headerLength, checksumLength, objectLength) = (12, 20, 20)
  /// From the beginning of an entry to its flags.
  private static let flagsOffset = 60
  /// Of version 4, where a name needs memory of its own: Linux has no path of a sixteenth of it.
  private static let nameLimit = 65_536

  private enum Flags {
    static let isAssumedUnchanged: UInt16 = 0x8000
    static let isExtended: UInt16 = 0x4000
    static let length: UInt16 = 0xfff
    static let isNotInWorkTree: UInt16 = 0x4000
    static let isIntended: UInt16 = 0x2000
  }

  let paths: [[UInt8]]

  func run(_ bytes: Span<UInt8>) throws(GitIndexFailure) -> [GitIndex.Match] {
    guard bytes.count >= 4, Self.number(bytes, 0) == 0x4449_5243 else { throw failure(.noIndex, 0) }
    guard bytes.count >= Self.headerLength + Self.checksumLength else {
      throw failure(.wrongLength, 0)
    }
    let (version, count) = (Self.number(bytes, 4), Self.number(bytes, 8))
    let bytes = bytes.extracting(droppingLast: Self.checksumLength)
    guard 2...4 ~= version else { throw failure(.unknownVersion(version), 4) }
    var matches = Array(repeating: GitIndex.Match(), count: paths.count)
    let place =
      version == 4
      ? try readCompressed(bytes, count, &matches)
      : try readWhole(bytes, count, hasFlags: version == 3, &matches)
    try readExtensions(bytes, from: place)
    return matches
  }

  /// - Parameter bytes: without the checksum.
  /// - Returns: where the entries end.
  private func readWhole(
    _ bytes: Span<UInt8>, _ count: UInt32, hasFlags: Bool, _ matches: inout [GitIndex.Match]
  ) throws(GitIndexFailure) -> Int {
    var place = Self.headerLength
    var last = 0..<0
    var lastStage: UInt16 = 0
    for _ in 0..<count {
      let (flags, more, start) = try readFlags(bytes, place, areExtended: hasFlags)
      let name = try readName(bytes, start, place)
      let length = name.count
      guard length > 0, min(length, Int(Flags.length)) == Int(flags & Flags.length) else {
        throw failure(.brokenName, place)
      }
      let stage = flags >> 12 & 3
      let order = Self.order(bytes.extracting(last), bytes.extracting(name))
      guard order < 0 || order == 0 && lastStage > 0 && lastStage < stage else {
        throw failure(.wrongOrder, place)
      }
      (last, lastStage) = (name, stage)
      match(bytes.extracting(name), &matches) { Self.entry(bytes, place, flags, more) }
      // One to eight bytes of 0, so that eight divides the length.
      let next = place + (start - place + length + 8) & ~7
      guard next <= bytes.count else { throw failure(.wrongLength, place) }
      place = next
    }
    return place
  }

  /// Of version 4: a name says how many bytes of that before it are not its own, and what comes instead.
  private func readCompressed(
    _ bytes: Span<UInt8>, _ count: UInt32, _ matches: inout [GitIndex.Match]
  ) throws(GitIndexFailure) -> Int {
    var place = Self.headerLength
    var name: [UInt8] = []
    var lastStage: UInt16 = 0
    for _ in 0..<count {
      let (flags, more, start) = try readFlags(bytes, place, areExtended: true)
      var (position, surplus) = (start, 0)
      while true {
        guard position < bytes.count else { throw failure(.wrongLength, place) }
        let byte = Int(bytes[position])
        position += 1
        surplus = surplus << 7 | byte & 0x7f
        // Names are shorter.
        guard surplus <= Self.nameLimit else { throw failure(.brokenName, place) }
        if byte & 0x80 == 0 { break }
        surplus += 1
      }
      let rest = try readName(bytes, position, place)
      guard surplus <= name.count else { throw failure(.brokenName, place) }
      let kept = name.count - surplus
      guard kept + rest.count <= Self.nameLimit else { throw failure(.longName, place) }
      let stage = flags >> 12 & 3
      let order = Self.order(name.span.extracting(last: surplus), bytes.extracting(rest))
      guard order < 0 || order == 0 && lastStage > 0 && lastStage < stage else {
        throw failure(.wrongOrder, place)
      }
      lastStage = stage
      name.removeLast(surplus)
      for position in rest { name.append(bytes[position]) }
      guard !name.isEmpty, min(name.count, Int(Flags.length)) == Int(flags & Flags.length) else {
        throw failure(.brokenName, place)
      }
      match(name.span, &matches) { Self.entry(bytes, place, flags, more) }
      place = rest.upperBound + 1
    }
    return place
  }

  /// - Returns: the flags, those that may follow, and where the name begins.
  private func readFlags(
    _ bytes: Span<UInt8>, _ place: Int, areExtended: Bool
  ) throws(GitIndexFailure) -> (flags: UInt16, more: UInt16, start: Int) {
    let start = place + Self.flagsOffset + 2
    guard start + 2 <= bytes.count else { throw failure(.wrongLength, place) }
    let flags = Self.short(bytes, start - 2)
    if flags & Flags.isExtended == 0 { return (flags, 0, start) }
    let more = Self.short(bytes, start)
    guard areExtended, more & ~(Flags.isNotInWorkTree | Flags.isIntended) == 0 else {
      throw failure(.unknownFlags, place)
    }
    return (flags, more, start + 2)
  }

  /// The bytes before the next 0.
  private func readName(
    _ bytes: Span<UInt8>, _ start: Int, _ place: Int
  ) throws(GitIndexFailure) -> Range<Int> {
    guard start < bytes.count else { throw failure(.wrongLength, place) }
    let length = unsafe bytes.extracting(start..<bytes.count).withUnsafeBytes { rest -> Int? in
      guard let first = rest.baseAddress, let zero = unsafe memchr(first, 0, rest.count) else {
        return nil
      }
      return unsafe UnsafeRawPointer(zero) - first
    }
    guard let length else { throw failure(.wrongLength, place) }
    return start..<start + length
  }

  /// Below 0 if a name comes before the other one, 0 if they are equal.
  private static func order(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
    let common = min(one.count, other.count)
    let order = unsafe one.withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { other in
        guard common > 0, let one = one.baseAddress, let other = other.baseAddress else {
          return CInt(0)
        }
        return unsafe memcmp(one, other, common)
      }
    }
    return order != 0 ? Int(order) : one.count - other.count
  }

  private func match(
    _ name: Span<UInt8>, _ matches: inout [GitIndex.Match], _ entry: () -> GitIndex.Entry
  ) {
    for number in paths.indices {
      let path = paths[number]
      let isBelow: Bool
      if path.isEmpty {
        isBelow = true
      } else if name.count == path.count {
        isBelow = false
      } else if name.count > path.count, name[path.count] == 0x2f {
        isBelow = true
      } else {
        continue
      }
      guard Self.order(name.extracting(first: path.count), path.span) == 0 else { continue }
      if isBelow {
        matches[number].hasEntriesBelow = true
      } else {
        matches[number].entries.append(entry())
      }
    }
  }

  private static func entry(
    _ bytes: Span<UInt8>, _ place: Int, _ flags: UInt16, _ more: UInt16
  ) -> GitIndex.Entry {
    func moment(_ offset: Int) -> GitIndex.Entry.Moment {
      GitIndex.Entry.Moment(
        seconds: number(bytes, place + offset), nanoseconds: number(bytes, place + offset + 4))
    }
    // The device, at 16, is not compared: it is another one after each start of some systems.
    return GitIndex.Entry(
      changed: moment(0), modified: moment(8), inode: number(bytes, place + 20),
      mode: number(bytes, place + 24),
      user: number(bytes, place + 28), group: number(bytes, place + 32),
      size: number(bytes, place + 36),
      object: (place + 40..<place + 40 + objectLength).map { bytes[$0] },
      stage: Int(flags >> 12 & 3),
      isAssumedUnchanged: flags & Flags.isAssumedUnchanged != 0,
      isNotInWorkTree: more & Flags.isNotInWorkTree != 0,
      isIntended: more & Flags.isIntended != 0)
  }

  private func readExtensions(_ bytes: Span<UInt8>, from start: Int) throws(GitIndexFailure) {
    var place = start
    while place < bytes.count {
      guard bytes.count - place >= 8 else { throw failure(.wrongLength, place) }
      // Those that begin with a capital letter only help.
      guard UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[place] else {
        throw failure(.unknownExtension((place..<place + 4).map { bytes[$0] }), place)
      }
      let length = Int(Self.number(bytes, place + 4))
      guard length <= bytes.count - place - 8 else { throw failure(.wrongLength, place) }
      place += 8 + length
    }
  }

  private static func number(_ bytes: Span<UInt8>, _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
  }

  private static func short(_ bytes: Span<UInt8>, _ place: Int) -> UInt16 {
    UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
  }

  private func failure(_ reason: GitIndexFailure.Reason, _ offset: Int) -> GitIndexFailure {
    GitIndexFailure(reason, offset: offset)
  }
}
