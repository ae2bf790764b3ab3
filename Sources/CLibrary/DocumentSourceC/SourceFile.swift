internal import CDocumentSource
internal import DocumentSource
internal import LinuxSystem
internal import Provenance
internal import Xattr

/// What the functions do on a file, however it is named.
struct SourceFile {
  private let file: FileReference
  private let attribute: DocumentSourceAttribute

  init(_ file: FileReference) {
    self.file = file
    attribute = DocumentSourceAttribute(of: file)
  }

  /// A descriptor's file has no name.
  static func open(_ descriptor: CInt) -> SourceFile {
    SourceFile(.descriptor(descriptor, path: FilePath("")))
  }

  func read() throws(Failure) -> FoundSource {
    let stored: StoredValue?
    do throws(DocumentSourceError) {
      stored = try attribute.stored()
    } catch {
      throw Failure(error)
    }
    guard let stored else { throw Failure(.noAttribute, in: nil) }
    let content: Content
    do throws(DamagedValue) {
      content = try Content(of: stored.bytes)
    } catch {
      throw Failure(error, in: stored)
    }
    switch content {
    case .source(let source, _): return FoundSource(source, in: stored.carrier)
    case .none(let absence): throw Failure(absence, in: stored)
    }
  }

  func report() throws(Failure) -> FoundReport {
    do throws(XattrError) {
      return FoundReport(try ProvenanceReader().report(on: file))
    } catch {
      throw Failure(marks: error)
    }
  }

  func write(
    _ values: UnsafePointer<docsource_values>?, _ options: CallOptions
  ) throws(Failure) {
    guard let values = unsafe values?.pointee else { throw .argument("no values are given") }
    let change = unsafe SourceChange(
      base: options.contains(.replace) ? .nothing : .existing,
      identifier: try Self.change(values.identifier, "identifier"),
      name: try Self.change(values.name, "name"), path: try Self.change(values.path, "path"),
      appInfoURL: try Self.change(values.app_info_url, "app_info_url"))
    do throws(DocumentSourceError) {
      let rules = WritingRules(schemes: options.contains(.anyURL) ? .any : .httpsOnly)
      try attribute.write(try attribute.plan(change, by: rules))
    } catch {
      throw Failure(error)
    }
  }

  func remove() throws(Failure) {
    let removed: [Carrier]
    do throws(DocumentSourceError) {
      removed = try attribute.remove()
    } catch {
      throw Failure(error)
    }
    if removed.isEmpty { throw Failure(.noAttribute, in: nil) }
  }

  private static func change(
    _ value: UnsafePointer<CChar>?, _ name: String
  ) throws(Failure) -> FieldChange {
    guard let text = unsafe try Argument.text(value, name) else { return .keep }
    return text.isEmpty ? .remove : .set(text)
  }
}

extension SourceFile {
  /// A file in an open directory.
  init(entry name: FilePath, in directory: CInt, _ options: CallOptions) {
    self.init(.entry(directory: directory, name: name, path: name, links: options.links))
  }
}
