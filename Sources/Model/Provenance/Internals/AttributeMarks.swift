internal import LinuxSystem
internal import Xattr

/// The marks in a file's own attributes.
struct AttributeMarks {
  private(set) var marks: [Mark] = []

  /// Reads them, those first that are native to Linux.
  ///
  /// A file system without attributes has none.
  mutating func read(_ file: FileReference) throws(XattrError) {
    let attributes = ExtendedAttributes(of: file)
    for (name, form) in try attributes.forms() {
      if let kind = form.kind { read(attributes, name, kind, form.style) }
    }
  }

  private mutating func read(
    _ attributes: ExtendedAttributes, _ name: AttributeName, _ kind: MarkKind,
    _ style: AttributeForm.Style
  ) {
    let form: MarkCarrier.Form =
      switch style {
      case .plain: .attribute
      case .sambaStream: .sambaStream
      case .hfsplus: .hfsplus
      }
    let carrier = MarkCarrier(form: form, name: Array(name.bytes))
    do throws(XattrError) {
      guard let bytes = try attributes.value(of: name) else { return }
      marks.append(Mark(kind, in: carrier, trust: .claim, bytes: bytes))
    } catch {
      marks.append(Mark(kind, in: carrier, trust: .claim, content: .unreadable(error.reason)))
    }
  }
}
