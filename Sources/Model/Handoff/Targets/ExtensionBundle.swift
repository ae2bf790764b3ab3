internal import Glibc
package import LinuxSystem

/// The bundle of an app with its extensions, or of one extension.
package struct ExtensionBundle {
  /// The largest property list, and the most extensions that are looked at.
  private static let listLimit = 16 << 20
  private static let extensionLimit = 1000
  /// Where bundles have their Info.plist, and apps their extensions.
  private static let listPlaces = ["Info.plist", "Contents/Info.plist"]
  private static let extensionPlaces = [
    "PlugIns", "Extensions", "Contents/PlugIns", "Contents/Extensions",
  ]

  /// The bytes of each Info.plist, by its path below the bundle.
  package private(set) var lists: [(entry: [UInt8], bytes: [UInt8])] = []
  /// Which ones cannot be read, and why.
  package private(set) var failures: [(path: FilePath, reason: String)] = []

  package init(_ path: FilePath) {
    // Else each of the places in it would be a failure.
    guard unsafe path.withCString({ unsafe access($0, X_OK) }) == 0 else {
      failures = [(path, "cannot read: \(Errno.current.description.lowercased())")]
      return
    }
    var extensions: [String] = []
    for place in Self.extensionPlaces {
      let directory = path.appending(FilePath(place))
      do throws(Errno) {
        let names = try InstalledDirectory(path: directory).listed()
        extensions += names.filter { Self.hasSuffix(".appex", $0.utf8) }.map { "\(place)/\($0)/" }
      } catch {
        failures.append((directory, "cannot read: \(error.description.lowercased())"))
      }
    }
    let isApp = !extensions.isEmpty || Self.hasSuffix(".app", path.bytes)
    if !isApp { extensions = [""] }
    for entry in (isApp ? [""] : []) + extensions.prefix(Self.extensionLimit) {
      for place in Self.listPlaces {
        let file = "\(entry)\(place)"
        guard let bytes = content(path.appending(FilePath(file))) else { continue }
        lists.append((Array(file.utf8), bytes))
        break
      }
    }
  }

  /// The bytes of a file in the bundle; `nil` if there is none.
  private mutating func content(_ path: FilePath) -> [UInt8]? {
    do throws(Errno) {
      let descriptor = try Descriptor.open(path)
      defer { close(descriptor) }
      if let bytes = try Descriptor.read(descriptor, limit: Self.listLimit) { return bytes }
      failures.append((path, "cannot read: larger than \(Self.listLimit >> 20) MiB"))
    } catch .noSuchFile {
      return nil
    } catch {
      failures.append((path, "cannot read: \(error.description.lowercased())"))
    }
    return nil
  }

  /// Whether a name ends with a text, without regard to the case of ASCII letters.
  private static func hasSuffix(_ text: String, _ name: some Collection<UInt8>) -> Bool {
    name.count >= text.utf8.count
      && zip(name.suffix(text.utf8.count), text.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }
}
