internal import Xattr

/// The marks in a file's own attributes.
struct AttributeMarks {
  private(set) var marks: [Mark] = []

  /// Reads them, those first that are native to Linux.
  ///
  /// A file system without attributes has none.
  mutating func read(_ file: FileReference) throws(XattrError) {
    let attributes = ExtendedAttributes(of: file)
    var found: [(name: AttributeName, form: AttributeForm, kind: MarkKind)] = []
    for name in try attributes.sortedNames() {
      guard let form = AttributeForm(name), let kind = form.kind else { continue }
      found.append((name, form, kind))
    }
    for style in [AttributeForm.Style.plain, .sambaStream, .hfsplus] {
      for (name, form, kind) in found where form.style == style {
        read(attributes, name, kind, style)
      }
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
