/// All objects of a property list, checked so that reading any of them cannot fail.
struct ObjectIndex: Sendable {
  let trailer: Trailer
  /// The objects in the order of the offset table.
  private(set) var tape: [TapeEntry]
  /// Whether an object that a tree shares has more than one reference to it.
  private(set) var hasShared = false

  /// Checks every object, and every reference between them, in time and memory linear in the bytes.
  init(of bytes: RawSpan, options: DecodingOptions) throws(DecodingFailure) {
    trailer = try Trailer(of: bytes, options: options)
    tape = []
    try readObjects(in: bytes, options: options)
    try walk(in: bytes, options: options)
  }

  private mutating func readObjects(
    in bytes: RawSpan, options: DecodingOptions
  ) throws(DecodingFailure) {
    let trailer = trailer
    tape.reserveCapacity(trailer.objectCount)
    var left = trailer.table - Trailer.headerLength
    for object in 0..<trailer.objectCount {
      let offset = try trailer.offset(of: object, in: bytes)
      let entry = try TapeEntry(at: offset, in: bytes, trailer: trailer, options: options)
      // Distinct objects upon the same bytes, such as a thousand arrays at one offset, would make
      // the work quadratic. Such as only touch, like a writer that drops a byte, stay readable.
      left -= entry.length(referenceWidth: trailer.referenceWidth)
      guard left >= 0 else { throw DecodingFailure(.overlap, at: offset) }
      tape.append(entry)
    }
  }

  /// Visits every container once, without recursion, and its references.
  private mutating func walk(in bytes: RawSpan, options: DecodingOptions) throws(DecodingFailure) {
    let trailer = trailer
    var keys = KeyChecker(objectCount: trailer.objectCount)
    var frames: [WalkFrame] = []
    // The root first, so that its depth is what the limit is held against; then what it does not
    // reach, so that every object of the table is sound.
    for start in -1..<trailer.objectCount {
      let start = start < 0 ? trailer.root : start
      guard tape[start].isContainer, tape[start].height == 0 else { continue }
      guard options.depthLimit >= 1 else {
        throw DecodingFailure(.tooDeep, at: tape[start].offset)
      }
      var frame = try open(start, keys: &keys, in: bytes, options: options)
      while true {
        if frame.position < frame.end {
          let position = frame.position
          let object = try trailer.reference(at: position, in: bytes)
          frame.position = position &+ trailer.referenceWidth
          var entry = tape[object]
          if !entry.isContainer {
            markReferenced(&entry, object)
            continue
          }
          guard !entry.isOpen else { throw DecodingFailure(.cycle, at: position) }
          markReferenced(&entry, object)
          let height = entry.height
          guard frames.count + 1 + max(height, 1) <= options.depthLimit else {
            throw DecodingFailure(.tooDeep, at: entry.offset)
          }
          if height > 0 {
            frame.height = max(frame.height, height)
          } else {
            frames.append(frame)
            frame = try open(object, keys: &keys, in: bytes, options: options)
          }
        } else {
          tape[frame.object].height = frame.height + 1
          tape[frame.object].isOpen = false
          guard var parent = frames.popLast() else { break }
          parent.height = max(parent.height, frame.height + 1)
          frame = parent
        }
      }
    }
  }

  @inline(__always)
  private mutating func markReferenced(_ entry: inout TapeEntry, _ object: Int) {
    guard !entry.isShared else { return }
    hasShared = hasShared || entry.isReferenced && entry.isWorthSharing
    entry.markReferenced()
    tape[object] = entry
  }

  @inline(__always)
  private mutating func open(
    _ object: Int, keys: inout KeyChecker, in bytes: RawSpan, options: DecodingOptions
  ) throws(DecodingFailure) -> WalkFrame {
    let entry = tape[object]
    tape[object].isOpen = true
    let start = entry.contentOffset
    var count = entry.count
    if entry.kind == .dictionary {
      if let duplicate = try keys.check(entry, tape: tape, trailer: trailer, in: bytes) {
        guard options.keepsFirstOfDuplicateKeys else {
          throw DecodingFailure(.duplicateKey, at: duplicate)
        }
        tape[object].isFlawed = true
      }
      count *= 2
    }
    return WalkFrame(
      object: object, position: start, end: start + count * trailer.referenceWidth, height: 0)
  }
}
