package import LinuxSystem

/// What docsource and a companion say to each other at a time: fields of bytes.
///
/// On the way a message is its length in four bytes, the highest first, and its fields; a field is
/// its length likewise, and its bytes. The length of a message is that of its fields with theirs.
package struct CompanionMessage: Hashable, Sendable {
  /// Why bytes are no message. None after them can be read.
  package enum Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message has more bytes than the receiver takes.
    case tooLong
    /// A field ends after its message.
    case brokenField
    /// The bytes end within a message.
    case incomplete
    /// More bytes follow the only message that was to come.
    case surplus

    package var description: String {
      switch self {
      case .tooLong: "a message is too long"
      case .brokenField: "a message has a broken field"
      case .incomplete: "a message is incomplete"
      case .surplus: "there is more than one message"
      }
    }
  }

  /// Why no message has been received.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case errno(Errno)
    case malformed(Malformed)

    package var description: String {
      switch self {
      case .errno(let errno): errno.description.lowercased()
      case .malformed(let malformed): malformed.description
      }
    }
  }

  package static let headLength = 4

  package let fields: [[UInt8]]

  package init(_ fields: [[UInt8]]) { self.fields = fields }

  package init(_ texts: String...) { fields = texts.map { Array($0.utf8) } }

  /// - Precondition: they are fewer than 4 GiB.
  package var bytes: [UInt8] {
    let length = fields.reduce(0) { $0 + Self.headLength + $1.count }
    var bytes = Self.head(length)
    bytes.reserveCapacity(Self.headLength + length)
    for field in fields {
      bytes += Self.head(field.count)
      bytes += field
    }
    return bytes
  }

  /// The field as text; what is not UTF-8 becomes U+FFFD.
  package func text(_ index: Int) -> String { String(decoding: fields[index], as: UTF8.self) }

  /// Reads all messages of a whole conversation.
  package static func all(in bytes: [UInt8]) throws(Malformed) -> [CompanionMessage] {
    var decoder = MessageDecoder(limit: .max)
    decoder.append(bytes)
    var messages: [CompanionMessage] = []
    while let message = try decoder.next() { messages.append(message) }
    guard decoder.isEmpty else { throw .incomplete }
    return messages
  }

  /// Waits for one message, the only one until this side answers; `nil` if the other side has ended
  /// instead.
  ///
  /// The corresponding C function is read(2).
  ///
  /// - Parameter limit: the most bytes that its fields may have, with their lengths.
  package static func receive(
    from descriptor: CInt, limit: Int
  ) throws(Failure) -> CompanionMessage? {
    var decoder = MessageDecoder(limit: limit)
    let message = try decoder.receive(from: descriptor)
    guard decoder.isEmpty else { throw .malformed(.surplus) }
    return message
  }

  private static func head(_ count: Int) -> [UInt8] {
    let count = UInt32(count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  /// The length that stands somewhere.
  fileprivate static func length(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.prefix(headLength).reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate init(content: ArraySlice<UInt8>) throws(Malformed) {
    var fields: [[UInt8]] = []
    var rest = content
    while !rest.isEmpty {
      let count = Self.length(rest)
      guard rest.count - Self.headLength >= count else { throw .brokenField }
      rest = rest.dropFirst(Self.headLength)
      fields.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    self.fields = fields
  }
}

/// Takes messages off bytes as they come.
package struct MessageDecoder: Sendable {
  private let limit: Int
  private var pending: [UInt8] = []
  /// Where in `pending` the next message begins.
  private var start = 0
  private var failure: CompanionMessage.Malformed?

  /// - Parameter limit: the most bytes that the fields of a message may have, with their lengths.
  package init(limit: Int) { self.limit = limit }

  /// Whether nothing of a message is left.
  package var isEmpty: Bool { start == pending.count }

  package mutating func append(_ bytes: [UInt8]) {
    // What has been taken goes when more comes, so that taking many is linear.
    pending.removeFirst(start)
    start = 0
    pending += bytes
  }

  /// The next message; `nil` if it has not come whole.
  package mutating func next() throws(CompanionMessage.Malformed) -> CompanionMessage? {
    if let failure { throw failure }
    do throws(CompanionMessage.Malformed) {
      let rest = pending[start...]
      guard rest.count >= CompanionMessage.headLength else { return nil }
      let count = CompanionMessage.length(rest)
      guard count <= limit else { throw .tooLong }
      let content = rest.dropFirst(CompanionMessage.headLength)
      guard content.count >= count else { return nil }
      let message = try CompanionMessage(content: content.prefix(count))
      start += CompanionMessage.headLength + count
      return message
    } catch {
      failure = error
      throw error
    }
  }

  /// Waits for the next message; `nil` if the other side has ended after a whole one.
  ///
  /// The corresponding C function is read(2).
  package mutating func receive(
    from descriptor: CInt
  ) throws(CompanionMessage.Failure) -> CompanionMessage? {
    while true {
      do throws(CompanionMessage.Malformed) {
        if let message = try next() { return message }
      } catch {
        throw .malformed(error)
      }
      let block: [UInt8]
      do throws(Errno) {
        block = try Descriptor.readBlock(descriptor)
      } catch {
        throw .errno(error)
      }
      if block.isEmpty {
        guard isEmpty else { throw .malformed(.incomplete) }
        return nil
      }
      append(block)
    }
  }
}
