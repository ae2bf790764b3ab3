// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource
internal import DocumentSource
internal import LinuxSystem
internal import Provenance
internal import Xattr

@c @implementation public func docsource_read(
  _ path: UnsafePointer<CChar>?, _ options: UInt32,
  _ source: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(source, error) { () throws(Failure) in
    unsafe try SourceFile(path, options).read()
  }
}

@c @implementation public func docsource_read_fd(
  _ descriptor: CInt, _ options: UInt32, _ source: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(source, error) { () throws(Failure) in
    try SourceFile(descriptor, options).read()
  }
}

@c @implementation public func docsource_read_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ source: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(source, error) { () throws(Failure) in
    unsafe try SourceFile(name, in: directory, options).read()
  }
}

@c @implementation public func docsource_source_value(
  _ source: OpaquePointer?, _ field: docsource_field, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let value = unsafe Handle<FoundSource>.object(source)?.value(field)
  unsafe length?.pointee = value?.count ?? 0
  return unsafe value?.start
}

@c @implementation public func docsource_source_carrier(_ source: OpaquePointer?) -> UnsafePointer<
  CChar
>? {
  unsafe Handle<FoundSource>.object(source)?.carrier.start
}

@c @implementation public func docsource_source_free(_ source: OpaquePointer?) {
  unsafe Handle<FoundSource>.free(source)
}

@c @implementation public func docsource_write(
  _ path: UnsafePointer<CChar>?, _ options: UInt32, _ values: UnsafePointer<docsource_values>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    unsafe try SourceFile(path, options, and: SourceFile.writing).write(values)
  }
}

@c @implementation public func docsource_write_fd(
  _ descriptor: CInt, _ options: UInt32, _ values: UnsafePointer<docsource_values>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    unsafe try SourceFile(descriptor, options, and: SourceFile.writing).write(values)
  }
}

@c @implementation public func docsource_write_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ values: UnsafePointer<docsource_values>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    unsafe try SourceFile(name, in: directory, options, and: SourceFile.writing).write(values)
  }
}

@c @implementation public func docsource_remove(
  _ path: UnsafePointer<CChar>?, _ options: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    unsafe try SourceFile(path, options).remove()
  }
}

@c @implementation public func docsource_remove_fd(
  _ descriptor: CInt, _ options: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    try SourceFile(descriptor, options).remove()
  }
}

@c @implementation public func docsource_remove_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    unsafe try SourceFile(name, in: directory, options).remove()
  }
}

/// A file by path, descriptor or directory entry, and what the functions do with it.
struct SourceFile {
  /// The options of the functions that write.
  static let writing: CallOptions = [.replace, .anyURL, .keepOtherFields]

  private let file: FileReference
  private let options: CallOptions
  private var attribute: DocumentSourceAttribute {
    DocumentSourceAttribute(of: file)
  }

  /// - Parameter known: the options that the function takes besides the one for links.
  init(
    _ path: UnsafePointer<CChar>?, _ options: UInt32, and known: CallOptions = []
  ) throws(Failure) {
    self.options = try CallOptions(options, among: known.union(.noFollow))
    file = .path(unsafe try Argument.path(path), links: self.options.links)
  }

  init(_ descriptor: CInt, _ options: UInt32, and known: CallOptions = []) throws(Failure) {
    self.options = try CallOptions(options, among: known)
    // Messages name no file.
    file = .descriptor(descriptor, path: FilePath(""))
  }

  /// A file in an open directory.
  init(
    _ name: UnsafePointer<CChar>?, in directory: CInt, _ options: UInt32,
    and known: CallOptions = []
  ) throws(Failure) {
    self.options = try CallOptions(options, among: known.union(.noFollow))
    let name = unsafe try Argument.path(name)
    file = .entry(directory: directory, name: name, path: name, links: self.options.links)
  }

  func read() throws(Failure) -> FoundSource {
    let finding: Finding
    do throws(DocumentSourceError) {
      finding = try attribute.read()
    } catch {
      guard case .damaged(let damage) = error.cause, let stored = try? attribute.stored() else {
        throw Failure(error)
      }
      throw Failure(damage, in: stored.carrier)
    }
    guard let stored = finding.stored else { throw Failure(.noAttribute) }
    switch finding.content {
    case .source(let source, _): return FoundSource(source, in: stored.carrier)
    case .none(let absence): throw Failure(absence, in: stored.carrier)
    }
  }

  func report() throws(Failure) -> FoundReport {
    let search = options.contains(.records) ? RecordSearch() : nil
    let content = options.contains(.embedded) ? ContentSearch() : nil
    return FoundReport(
      try provenance(search?.download, content?.origin, search?.packages),
      isPartial: search?.hasFailed ?? false || content?.hasFailed ?? false)
  }

  /// As C returns it.
  ///
  /// - Parameter file: `nil` for one that cannot be asked for, which a report says more of.
  @inline(never)
  static func mayHaveMore(_ file: SourceFile?) -> CInt {
    guard let file else { return 1 }
    return ProvenanceReader.mayHaveMore(file.file) ? 1 : 0
  }

  func provenance(
    _ download: ProvenanceReader.DownloadFinder? = nil,
    _ content: ProvenanceReader.ContentFinder? = nil,
    _ packages: ProvenanceReader.PackageFinder? = nil
  ) throws(Failure) -> ProvenanceReport {
    do throws(XattrError) {
      return try ProvenanceReader(
        download: download, content: content, packages: packages
      ).report(on: file)
    } catch {
      throw Failure(marks: error)
    }
  }

  func write(_ values: UnsafePointer<docsource_values>?) throws(Failure) {
    guard let values = unsafe values?.pointee else { throw .argument("no values are given") }
    let kept: SourceChange.Base =
      options.contains(.keepOtherFields) ? .existingOfAnyApplication : .existing
    let change = unsafe SourceChange(
      base: options.contains(.replace) ? .nothing : kept,
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
    do throws(DocumentSourceError) {
      guard try attribute.remove().isEmpty else { return }
    } catch {
      throw Failure(error)
    }
    throw Failure(.noAttribute)
  }

  private static func change(
    _ value: UnsafePointer<CChar>?, _ name: String
  ) throws(Failure) -> FieldChange {
    guard let text = unsafe try Argument.text(value, name) else { return .keep }
    return text.isEmpty ? .remove : .set(text)
  }
}

/// A document source as C holds it: `docsource_source`.
final class FoundSource {
  private let identifier: CText
  private let name: CText
  private let path: CText
  private let appInfoURL: CText
  let carrier: CText

  init(_ source: DocumentSource, in carrier: SourceAttribute) {
    identifier = CText(source.identifier)
    name = CText(source.name)
    path = CText(source.path)
    appInfoURL = CText(source.appInfoURL)
    self.carrier = CText(bytes: carrier.attributeName.bytes)
  }

  func value(_ field: docsource_field) -> (start: UnsafePointer<CChar>?, count: Int) {
    switch field {
    case DOCSOURCE_IDENTIFIER: unsafe (identifier.start, identifier.count)
    case DOCSOURCE_NAME: unsafe (name.start, name.count)
    case DOCSOURCE_PATH: unsafe (path.start, path.count)
    case DOCSOURCE_APP_INFO_URL: unsafe (appInfoURL.start, appInfoURL.count)
    default: (nil, 0)
    }
  }
}
