package import BinaryPropertyList

/// The attribute's bytes as a whole property list, for rewriting.
package enum AttributeValue {
  /// Samba puts a NUL behind every value; it is the one departure from the format that is accepted.
  package static let tolerant = {
    var options = DecodingOptions()
    options.toleratesTrailingNUL = true
    // No attribute is larger than 64 KiB; a tree of more values is not meant for reading.
    options.expansionLimit = 1 << 16
    options.countsText = true
    return options
  }()

  /// Decodes the value whole.
  static func propertyList(_ bytes: [UInt8]) throws(DamagedValue) -> PropertyList {
    do throws(DecodingFailure) {
      return try PropertyList(binary: bytes, options: tolerant)
    } catch {
      throw DamagedValue(failure: error, bytes: bytes)
    }
  }

  /// Whether the value is a property list with one NUL behind it.
  package static func hasTrailingNUL(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == 0 else { return false }
    return decoded(bytes, DecodingOptions()) == nil && decoded(bytes) != nil
  }

  /// Whether the bytes decode to exactly this value.
  static func holds(_ value: PropertyList, _ bytes: [UInt8]) -> Bool {
    decoded(bytes) == value
  }

  /// The value, or `nil` where it is damaged.
  static func decoded(
    _ bytes: [UInt8], _ options: DecodingOptions = AttributeValue.tolerant
  ) -> PropertyList? {
    do throws(DecodingFailure) {
      return try PropertyList(binary: bytes, options: options)
    } catch {
      return nil
    }
  }
}
