extension AppleDoubleContent {
  /// Adds an attribute by the name that macOS has for it; of those with a name the first counts.
  mutating func add(_ name: [UInt8], _ value: [UInt8]) {
    if name.elementsEqual(ForeignAttributes.finderInfoName.utf8) {
      if finderInfo.isEmpty { finderInfo = value }
    } else if !attributes.contains(where: { $0.name == name }) {
      attributes.append(Attribute(name: name, value: value))
    }
  }

  /// This with all that another says in the place of what this says of the same.
  func replacing(_ other: AppleDoubleContent) -> AppleDoubleContent {
    var result = self
    if other.finderInfo.contains(where: { $0 != 0 }) { result.finderInfo = other.finderInfo }
    for attribute in other.attributes {
      if let position = result.attributes.firstIndex(where: { $0.name == attribute.name }) {
        result.attributes[position].value = attribute.value
      } else {
        result.attributes.append(attribute)
      }
    }
    return result
  }

  /// Whether all that another says stands here too.
  func keeps(_ other: AppleDoubleContent) -> Bool {
    let keepsInfo = other.finderInfo.allSatisfy { $0 == 0 } || finderInfo == other.finderInfo
    return keepsInfo && other.parts == parts
      && other.attributes.allSatisfy { attributes.contains($0) }
  }
}

extension AppleDoubleContent.Excess: CustomStringConvertible {
  /// Why, in words.
  public var description: String {
    switch self {
    case .name: "an attribute's name is longer than \(AppleDouble.nameLimit) bytes"
    case .value: "an attribute's value is longer than 16 MiB"
    case .list: "the list of attributes would not end within \(AppleDouble.headLimit) bytes"
    case .finderInfo: "something else stands where the attributes would"
    case .file: "the file would be longer than 4 GiB"
    }
  }
}
