/// Makes a tree of values from checked objects, each shared object once.
struct TreeBuilder: ~Copyable {
  private let index: ObjectIndex
  private let limit: Int
  /// The values of shared objects, in the order in which they were made.
  private var shared: [PropertyList] = []
  /// The position of each object in `shared` plus one; zero until its value is made.
  private var positions: [UInt32]
  /// The number of values in a shared container, itself included, by object.
  private var sharedExpansions: [Int: Int] = [:]
  /// Finished values whose container is not finished.
  private var finished: ValueStack
  private var frames: [BuildFrame] = []
  /// The number of values in the tree so far, plus one for each 64 characters or bytes where those
  /// count.
  private var expansion = 0
  /// The dictionary that was made last: in lists of records the next one has the same references to
  /// the same keys.
  private var last: TapeEntry = .none
  /// The entries of the last dictionary, once it was the second with the same keys; else empty.
  private var model: [PropertyList.Dictionary.Entry] = []
  /// What the keys of `model` add to `expansion`.
  private var modelExpansion = 0
  /// By how many bits a length is shifted right to give what it adds to `expansion`.
  private let textShift: Int

  static func value(
    of object: Int, in index: ObjectIndex, _ bytes: RawSpan, options: DecodingOptions
  ) throws(DecodingFailure) -> PropertyList {
    let limit = bytes.byteCount.addingReportingOverflow(max(0, options.expansionLimit))
    var builder = TreeBuilder(
      index: index, limit: limit.overflow ? .max : limit.partialValue,
      textShift: options.countsText ? 6 : Int.bitWidth - 1)
    return try builder.value(of: object, in: bytes)
  }

  private init(index: ObjectIndex, limit: Int, textShift: Int) {
    self.index = index
    self.limit = limit
    self.textShift = textShift
    positions = index.hasShared ? [UInt32](repeating: 0, count: index.tape.count) : []
    finished = ValueStack()
  }

  private mutating func value(
    of root: Int, in bytes: RawSpan
  ) throws(DecodingFailure) -> PropertyList {
    let width = index.trailer.referenceWidth
    guard index.tape[root].isContainer else { return leaf(root, index.tape[root], in: bytes) }
    var frame = open(root)
    while true {
      while frame.position < frame.end {
        let object = index.trailer.checkedReference(at: frame.position, in: bytes)
        frame.position &+= width
        let entry = index.tape[object]
        expansion &+= 1
        if !entry.isContainer {
          finished.push(leaf(object, entry, in: bytes))
        } else if entry.isMadeOnce, let known = made(object),
          let expanded = sharedExpansions[object]
        {
          finished.push(known)
          let sum = expansion.addingReportingOverflow(expanded - 1)
          expansion = sum.overflow ? .max : sum.partialValue
        } else {
          // The walk has let nothing so deep pass, but for objects that the root does not reach and
          // that contain themselves.
          guard frames.count < DecodingOptions.maximumDepth else {
            throw DecodingFailure(.cycle, at: entry.offset)
          }
          frames.append(frame)
          frame = open(object)
        }
        guard expansion <= limit else { throw DecodingFailure(.expansion, at: entry.offset) }
      }
      let value = close(frame, in: bytes)
      guard let parent = frames.popLast() else {
        guard expansion <= limit else {
          throw DecodingFailure(.expansion, at: index.tape[root].offset)
        }
        return value
      }
      if index.tape[frame.object].isMadeOnce {
        share(value, as: frame.object)
        sharedExpansions[frame.object] = expansion - frame.expansion + 1
      }
      finished.push(value)
      frame = parent
    }
  }

  private func open(_ object: Int) -> BuildFrame {
    let entry = index.tape[object]
    let width = index.trailer.referenceWidth
    let isDictionary = entry.kind == .dictionary
    let start = entry.contentOffset + (isDictionary ? entry.count * width : 0)
    return BuildFrame(
      object: object, position: start, end: start + entry.count * width, expansion: expansion)
  }

  private mutating func close(_ frame: BuildFrame, in bytes: RawSpan) -> PropertyList {
    let entry = index.tape[frame.object]
    switch entry.kind {
    case .orderedSet: return .orderedSet(finished.popArray(entry.count))
    case .set: return .set(finished.popArray(entry.count))
    case .dictionary: return .dictionary(dictionary(entry, in: bytes))
    default: return .array(finished.popArray(entry.count))
    }
  }

  private mutating func dictionary(
    _ entry: TapeEntry, in bytes: RawSpan
  ) -> PropertyList.Dictionary {
    let width = index.trailer.referenceWidth
    let start = entry.contentOffset
    let count = entry.count
    finished.release(count)
    // Between the release and the last `take`, nothing throws or pushes, and each value is taken once.
    let isRepetition =
      entry.value == last.value
      && bytes.repeats(last.contentOffset, at: start, count: count &* width)
    if isRepetition, model.count == count {
      expansion &+= modelExpansion
      return PropertyList.Dictionary(
        unique: [PropertyList.Dictionary.Entry](filling: count) { target in
          for position in 0..<count {
            target.append(
              PropertyList.Dictionary.Entry(
                key: model[position].key, value: unsafe finished.take(position)))
          }
        })
    }
    let expansionBefore = expansion
    let entries = [PropertyList.Dictionary.Entry](filling: count) { target in
      for position in 0..<count {
        let key = index.trailer.checkedReference(at: start &+ position &* width, in: bytes)
        target.append(
          PropertyList.Dictionary.Entry(
            key: entry.isFlawed
              ? flawedKey(key, in: bytes) : string(key, index.tape[key], in: bytes),
            value: unsafe finished.take(position)))
      }
    }
    guard !entry.isFlawed else {
      return PropertyList.Dictionary(entries.lazy.map { ($0.key, $0.value) }) { first, _ in first }
    }
    last = entry
    model = isRepetition ? entries : []
    modelExpansion = expansion &- expansionBefore
    return PropertyList.Dictionary(unique: entries)
  }

  @inline(__always)
  private mutating func leaf(
    _ object: Int, _ entry: TapeEntry, in bytes: RawSpan
  ) -> PropertyList {
    switch entry.kind {
    case .ascii, .latin1, .utf16: .string(string(object, entry, in: bytes))
    case .integer: .integer(Int64(bitPattern: entry.value))
    case .boolean: .boolean(entry.value != 0)
    case .real: .real(Double(bitPattern: entry.value))
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: entry.value)))
    case .date: .date(secondsSinceReferenceDate: Double(bitPattern: entry.value))
    case .uid: .uid(entry.value)
    case .data: data(object, entry, in: bytes)
    case .wideInteger: wideInteger(object, entry, in: bytes)
    default: .null
    }
  }

  /// The text of a string.
  @inline(__always)
  private mutating func string(_ object: Int, _ entry: TapeEntry, in bytes: RawSpan) -> String {
    expansion &+= entry.count >> textShift
    guard entry.isMadeOnce else { return entry.string(in: bytes) }
    if case .string(let known) = made(object) { return known }
    let made = entry.string(in: bytes)
    share(.string(made), as: object)
    return made
  }

  /// The text of a key that may be an integer.
  private mutating func flawedKey(_ object: Int, in bytes: RawSpan) -> String {
    let entry = index.tape[object]
    return entry.kind == .integer
      ? String(Int64(bitPattern: entry.value)) : string(object, entry, in: bytes)
  }

  @inline(never)
  private mutating func data(
    _ object: Int, _ entry: TapeEntry, in bytes: RawSpan
  ) -> PropertyList {
    expansion &+= entry.count >> textShift
    if entry.isMadeOnce, let known = made(object) { return known }
    let start = entry.contentOffset
    let made = unsafe bytes.withUnsafeBytes { bytes in
      // The index has checked the range; making the slice checks it again.
      let content = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + entry.count])
      return unsafe PropertyList.data([UInt8](copying: content, count: content.count))
    }
    if entry.isMadeOnce { share(made, as: object) }
    return made
  }

  @inline(never)
  private mutating func wideInteger(
    _ object: Int, _ entry: TapeEntry, in bytes: RawSpan
  ) -> PropertyList {
    if entry.isMadeOnce, let known = made(object) { return known }
    let made = PropertyList.wideInteger(entry.wideValue(in: bytes))
    if entry.isMadeOnce { share(made, as: object) }
    return made
  }

  /// The value of a shared object, or `nil` until it is made.
  @inline(__always)
  private func made(_ object: Int) -> PropertyList? {
    let position = positions[object]
    return position == 0 ? nil : shared[Int(position) &- 1]
  }

  private mutating func share(_ value: PropertyList, as object: Int) {
    shared.append(value)
    positions[object] = UInt32(shared.count)
  }
}

/// A container whose values are being made.
private struct BuildFrame {
  let object: Int
  /// The offset of the next reference to a value.
  var position: Int
  /// The offset after the last reference.
  let end: Int
  /// The builder's `expansion` when the container was begun.
  let expansion: Int
}

/// Values that wait until their container is complete and can be allocated once, in its size.
@safe private struct ValueStack: ~Copyable {
  private var base: UnsafeMutablePointer<PropertyList>
  private var capacity = 256
  /// The elements below this position are initialised, those from it on are not.
  private var count = 0

  init() {
    unsafe base = .allocate(capacity: capacity)
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  @inline(__always)
  mutating func push(_ value: consuming PropertyList) {
    if count == capacity { grow() }
    unsafe (base + count).initialize(to: value)
    count &+= 1
  }

  /// Moves the topmost values into an array.
  mutating func popArray(_ length: Int) -> [PropertyList] {
    precondition(length <= count, "more values taken than were pushed")
    count -= length
    // The released values are moved from, and nothing reads them again.
    return [PropertyList](filling: length) { target in
      for position in 0..<length {
        target.append(unsafe take(position))
      }
    }
  }

  /// Gives up the topmost values; each must then be taken once by ``take(_:)``.
  mutating func release(_ length: Int) {
    precondition(length <= count, "more values taken than were pushed")
    count -= length
  }

  /// Moves out a released value, counted from the lowest one; no value may be pushed in between.
  @unsafe @inline(__always)
  func take(_ position: Int) -> PropertyList {
    unsafe (base + count + position).move()
  }

  /// Makes room for half as many values again, so that the memory stays linear in the bytes read.
  private mutating func grow() {
    let larger = capacity + capacity / 2
    let target = UnsafeMutablePointer<PropertyList>.allocate(capacity: larger)
    unsafe target.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = target
    capacity = larger
  }
}
