internal import Xattr

extension DocumentSourceAttribute {
  /// The forms of the attribute that reading looks for.
  public enum Carriers: Sendable {
    /// The native one; a file without it costs one system call.
    case native
    /// All, which costs another system call where there is no native one.
    case all
  }

  /// Reads some fields of the document source.
  ///
  /// This is for many files: where no fields are wanted, nothing is made of a value that is in
  /// order. The fields that are not asked for are left out of the source.
  ///
  /// - Returns: what the value says, and the carrier that it stands in, if there is one.
  /// - Throws: `DocumentSourceError`, as `read` does.
  public func content(
    _ fields: DocumentSource.FieldSet, in carriers: Carriers
  ) throws(DocumentSourceError) -> (content: Content, carrier: Carrier?) {
    var native: Result<Content, DamagedValue> = .success(.none(.noAttribute))
    do throws(XattrError) {
      _ = try attributes.withValue(of: Carrier.nativeName) { bytes in
        do throws(DamagedValue) {
          native = .success(try Content(fields, of: bytes))
        } catch {
          native = .failure(error)
        }
      }
    } catch {
      throw DocumentSourceError(.read, path, .attribute(error))
    }
    let content: Content
    do throws(DamagedValue) {
      content = try native.get()
    } catch {
      throw DocumentSourceError(.read, path, .damaged(error))
    }
    guard content == .none(.noAttribute) || content == .none(.empty) else {
      return (content, .native)
    }
    if carriers == .native { return (content, content == .none(.empty) ? .native : nil) }
    let finding = try read()
    return (finding.content, finding.stored?.carrier)
  }
}
