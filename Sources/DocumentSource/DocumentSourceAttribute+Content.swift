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
    let native: Result<Content, DamagedValue>?
    do throws(XattrError) {
      native = try attributes.withValue(of: Carrier.nativeName) { bytes in
        do throws(DamagedValue) {
          return .success(try Content(fields, of: bytes))
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw DocumentSourceError(.read, path, .attribute(error))
    }
    switch native {
    case .success(.none(.empty)) where carriers == .all, nil where carriers == .all:
      let finding = try read()
      return (finding.content, finding.stored?.carrier)
    case .success(let content): return (content, .native)
    case .failure(let damage): throw DocumentSourceError(.read, path, .damaged(damage))
    case nil: return (.none(.noAttribute), nil)
    }
  }
}
