import Foundation
import LinuxSystem
import TestSupport
import Xattr

/// A file with attributes of a test's choice.
struct MarkedFile {
  let path: String
  private let attributes: ExtendedAttributes

  /// - Parameters:
  ///   - path: of a file that is there.
  ///   - attributes: by their full names.
  init(_ path: String, _ attributes: [String: [UInt8]] = [:]) throws {
    self.path = path
    self.attributes = ExtendedAttributes(of: .path(FilePath(path)))
    for (name, value) in attributes { try set(value, name) }
  }

  func set(_ value: [UInt8], _ name: String) throws {
    guard let name = AttributeName(name) else { throw CocoaError(.fileWriteUnknown) }
    try attributes.setValue(value, of: name)
  }

  /// All user attributes, by their full names.
  func all() throws -> [String: [UInt8]] {
    var all: [String: [UInt8]] = [:]
    for name in try attributes.names() where name.bytes.starts(with: "user.".utf8) {
      all[name.description] = try attributes.value(of: name)
    }
    return all
  }
}
