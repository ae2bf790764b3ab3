public import BinaryPropertyList

// Items as bytes: a binary property list, whose root is the item's dictionary.
extension ShareItem {
  /// How many bytes an item may have, attachments left out, less one.
  public static let sizeLimit = 1 << 20
  /// How deep values may be nested; a text in the item's dictionary has depth 1.
  public static let depthLimit = 128

  /// Reads an item.
  ///
  /// - Throws: `ItemFailure` for bytes that are no binary property list, that hold no dictionary, and
  ///   for what is too large or too deep to be handed over.
  public init(_ bytes: [UInt8]) throws(ItemFailure) {
    var options = DecodingOptions()
    options.depthLimit = Self.depthLimit
    options.countsText = true
    let value: PropertyList
    do throws(DecodingFailure) {
      value = try PropertyList(binary: bytes, options: options)
    } catch {
      throw ItemFailure(error.reason == .tooDeep ? .tooDeep : .list(error))
    }
    guard case .dictionary(let dictionary) = value else { throw ItemFailure(.notDictionary) }
    userInfo = dictionary
    // The whole has no fewer bytes than a part of it.
    if bytes.count >= Self.sizeLimit { try checkSize() }
  }

  /// Makes an item of a property list that was read from XML or JSON.
  ///
  /// - Throws: `ItemFailure`, as for bytes.
  public init(_ value: PropertyList) throws(ItemFailure) {
    guard case .dictionary(let dictionary) = value else { throw ItemFailure(.notDictionary) }
    try self.init(userInfo: dictionary)
  }

  /// The item as a binary property list.
  ///
  /// - Throws: `ItemFailure` for an item that is too large or too deep, and for a value that is no
  ///   text, number, truth value, date, data, array or dictionary: other programs refuse the whole
  ///   list for it.
  public func encoded() throws(ItemFailure) -> [UInt8] {
    for entry in userInfo.entries {
      try Self.check(entry.value, at: "." + entry.key, depth: 1)
    }
    try checkSize()
    return try Self.bytes(of: userInfo)
  }

  /// - Throws: `ItemFailure` where the item without its attachments is too large, or any of it is too
  ///   deep.
  func checkSize() throws(ItemFailure) {
    var rest = userInfo
    if case .array(let attachments)? = rest[Key.attachments] {
      for attachment in attachments {
        guard Self.isShallow(attachment, depth: 2) else { throw ItemFailure(.tooDeep) }
      }
      rest[Key.attachments] = nil
    }
    guard Self.isShallow(.dictionary(rest), depth: 0) else { throw ItemFailure(.tooDeep) }
    guard try Self.bytes(of: rest).count < Self.sizeLimit else { throw ItemFailure(.tooLarge) }
  }

  private static func bytes(of dictionary: PropertyList.Dictionary) throws(ItemFailure) -> [UInt8] {
    do throws(EncodingFailure) {
      return try PropertyList.dictionary(dictionary).binary()
    } catch {
      throw ItemFailure(error.reason == .tooDeep ? .tooDeep : .tooLarge)
    }
  }

  private static func isShallow(_ value: PropertyList, depth: Int) -> Bool {
    switch value {
    case .array(let values), .set(let values), .orderedSet(let values):
      depth < depthLimit && values.allSatisfy { isShallow($0, depth: depth + 1) }
    case .dictionary(let dictionary):
      depth < depthLimit
        && dictionary.entries.allSatisfy { isShallow($0.value, depth: depth + 1) }
    default: true
    }
  }

  /// Refuses what other programs do not read: plistlib no set, CoreFoundation no null, either no
  /// integer of more than 64 bits.
  private static func check(
    _ value: PropertyList, at keyPath: String, depth: Int
  ) throws(ItemFailure) {
    guard depth <= depthLimit else { throw ItemFailure(.tooDeep) }
    switch value {
    case .null: throw ItemFailure(.unrepresentable("null"), at: keyPath)
    case .set, .orderedSet: throw ItemFailure(.unrepresentable("a set"), at: keyPath)
    case .uid: throw ItemFailure(.unrepresentable("a UID"), at: keyPath)
    case .wideInteger(let integer) where UInt64(exactly: integer) == nil:
      throw ItemFailure(.unrepresentable("an integer of more than 64 bits"), at: keyPath)
    case .array(let elements):
      for (position, element) in elements.enumerated() {
        // Paths are made for failures only, and texts need no look.
        if case .string = element { continue }
        try check(element, at: keyPath, position, depth + 1)
      }
    case .dictionary(let dictionary):
      for entry in dictionary.entries {
        if case .string = entry.value { continue }
        do throws(ItemFailure) {
          try check(entry.value, at: "", depth: depth + 1)
        } catch {
          throw ItemFailure(error.reason, at: keyPath + "." + entry.key + error.keyPath)
        }
      }
    default: break
    }
  }

  private static func check(
    _ element: PropertyList, at keyPath: String, _ position: Int, _ depth: Int
  ) throws(ItemFailure) {
    do throws(ItemFailure) {
      try check(element, at: "", depth: depth)
    } catch {
      throw ItemFailure(error.reason, at: "\(keyPath)[\(position)]\(error.keyPath)")
    }
  }
}
