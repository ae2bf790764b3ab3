internal import Xattr

/// An attribute that a worker reads of what it visits.
struct AskedAttribute {
  let reader: AttributeReader
  /// Whether what lacks it is left out.
  let isRequired: Bool

  init(_ request: WalkOptions.Attribute) {
    reader = AttributeReader(request.name)
    isRequired = request.absent == .leftOut
  }
}
