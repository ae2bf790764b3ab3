internal import BinaryPropertyList
internal import LinuxSystem

/// The attribute's value after a change.
struct ChangedValue {
  let value: PropertyList
  let bytes: [UInt8]
  let source: DocumentSource

  /// - Parameter base: the value to change; `nil` to start afresh.
  init(
    of base: [UInt8]?, by change: SourceChange, at path: FilePath
  ) throws(DocumentSourceError) {
    var dictionary = try Self.dictionary(base, path)
    for field in DocumentSource.Field.allCases {
      switch change[field] {
      case .keep: break
      case .set(let text): dictionary[field.key] = .string(text)
      case .remove: dictionary[field.key] = nil
      }
    }
    var source = DocumentSource()
    for field in DocumentSource.Field.allCases {
      if case .string(let text) = dictionary[field.key] { source[field] = text }
    }
    guard !source.isEmpty else {
      throw DocumentSourceError(
        writing: path, "no field would be left; 'docsource remove' removes the attribute")
    }
    self.source = source
    value = .dictionary(dictionary)
    do throws(EncodingFailure) {
      // What starts afresh has the fields alone, in their order.
      bytes = base == nil ? try source.encoded() : try value.binary()
    } catch {
      throw DocumentSourceError(.write, path, .unencodable(error))
    }
  }

  private static func dictionary(
    _ base: [UInt8]?, _ path: FilePath
  ) throws(DocumentSourceError) -> PropertyList.Dictionary {
    guard let base else { return PropertyList.Dictionary() }
    let value: PropertyList
    do throws(DamagedValue) {
      value = try AttributeValue.propertyList(base)
    } catch {
      throw DocumentSourceError(.write, path, .damaged(error))
    }
    guard case .dictionary(let dictionary) = value else {
      throw DocumentSourceError(
        writing: path, "the attribute holds no dictionary; --replace starts afresh")
    }
    return dictionary
  }
}
