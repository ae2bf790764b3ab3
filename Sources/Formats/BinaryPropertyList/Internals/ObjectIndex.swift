/// All objects of a property list, checked so that reading any of them cannot fail.
struct ObjectIndex: Sendable {
  let trailer: Trailer
  /// The objects in the order of the offset table.
  let tape: [TapeEntry]
  /// Whether an object has more than one reference to it.
  let hasShared: Bool

  /// Checks every object, and every reference between them, in time and memory linear in the bytes.
  init(of bytes: RawSpan, options: DecodingOptions) throws(DecodingFailure) {
    let trailer = try Trailer(of: bytes, options: options)
    var tape = try [TapeEntry](filling: trailer.objectCount) {
      tape throws(DecodingFailure) in
      try Self.read(into: &tape, from: bytes, trailer: trailer, options: options)
    }
    var span = tape.mutableSpan
    hasShared = try Self.walk(&span, trailer: trailer, in: bytes, options: options)
    self.trailer = trailer
    self.tape = tape
  }

  private static func read(
    into tape: inout OutputSpan<TapeEntry>, from bytes: RawSpan, trailer: Trailer,
    options: DecodingOptions
  ) throws(DecodingFailure) {
    var left = trailer.table - Trailer.headerLength
    for object in 0..<trailer.objectCount {
      let offset = try trailer.offset(of: object, in: bytes)
      var length = 0
      let entry = try TapeEntry(
        at: offset, &length, in: bytes, trailer: trailer, options: options)
      // Many objects upon the same bytes, such as a thousand arrays at one offset, would make the
      // work quadratic. Gaps leave room for a few that overlap, which cannot.
      left &-= length
      guard left >= 0 else { throw DecodingFailure(.overlap, at: offset) }
      tape.append(entry)
    }
  }

  /// Visits every container once, without recursion, and its references.
  ///
  /// - Returns: Whether an object has more than one reference to it.
  private static func walk(
    _ tape: inout MutableSpan<TapeEntry>, trailer: Trailer, in bytes: RawSpan,
    options: DecodingOptions
  ) throws(DecodingFailure) -> Bool {
    var keys = KeyChecker()
    var marks = KeyChecker.marks(objectCount: trailer.objectCount)
    // An empty array's span takes two calls.
    var markSpan = MutableSpan<KeyMark>()
    if !marks.isEmpty { markSpan = marks.mutableSpan }
    var frames: [WalkFrame] = []
    var flags: UInt64 = 0
    // The root first, so that its depth is what the limit is held against; then what it does not
    // reach, so that every object of the table is sound.
    for start in -1..<trailer.objectCount {
      let start = start < 0 ? trailer.root : start
      guard tape[start].isContainer, tape[start].height == 0 else { continue }
      guard options.depthLimit >= 1 else {
        throw DecodingFailure(.tooDeep, at: tape[start].offset)
      }
      var frame = try open(
        start, &tape, &keys, &markSpan, &flags, trailer: trailer, in: bytes, options: options)
      while true {
        while frame.position < frame.end {
          let position = frame.position
          let object = try trailer.reference(at: position, in: bytes)
          frame.position = position &+ trailer.referenceWidth
          let entry = tape[object]
          guard entry.isContainer else {
            tape[object].noteReference(&flags)
            continue
          }
          guard !entry.isOpen else { throw DecodingFailure(.cycle, at: position) }
          tape[object].noteReference(&flags)
          let height = entry.height
          guard frames.count + 1 + max(height, 1) <= options.depthLimit else {
            throw DecodingFailure(.tooDeep, at: entry.offset)
          }
          if height > 0 {
            frame.height = max(frame.height, height)
          } else {
            frames.append(frame)
            frame = try open(
              object, &tape, &keys, &markSpan, &flags, trailer: trailer, in: bytes,
              options: options)
          }
        }
        tape[frame.object].height = frame.height + 1
        tape[frame.object].isOpen = false
        guard var parent = frames.popLast() else { break }
        parent.height = max(parent.height, frame.height + 1)
        frame = parent
      }
    }
    return TapeEntry.isAnyShared(flags)
  }

  /// Begins a container: checks a dictionary's keys, and leaves its values to be visited.
  @inline(__always)
  private static func open(
    _ object: Int, _ tape: inout MutableSpan<TapeEntry>, _ keys: inout KeyChecker,
    _ marks: inout MutableSpan<KeyMark>, _ flags: inout UInt64, trailer: Trailer, in bytes: RawSpan,
    options: DecodingOptions
  ) throws(DecodingFailure) -> WalkFrame {
    let entry = tape[object]
    tape[object].isOpen = true
    var start = entry.contentOffset
    let length = entry.count * trailer.referenceWidth
    if entry.isDictionary {
      let duplicate = try keys.check(
        entry, &tape, &marks, &flags, trailer: trailer, in: bytes)
      if let duplicate {
        guard options.keepsFirstOfDuplicateKeys else {
          throw DecodingFailure(.duplicateKey, at: duplicate)
        }
        tape[object].isFlawed = true
      }
      start += length
    }
    return WalkFrame(object: object, position: start, end: start + length, height: 0)
  }
}
