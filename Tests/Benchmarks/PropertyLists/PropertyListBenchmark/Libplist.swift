import CPlist
import Glibc

/// The C library, as its users call it.
enum Libplist {
  /// Parses a property list; the tree is to be freed.
  static func parse(_ bytes: [UInt8]) -> plist_t {
    var tree: plist_t?
    bytes.withUnsafeBytes { bytes in
      plist_from_bin(bytes.bindMemory(to: CChar.self).baseAddress, UInt32(bytes.count), &tree)
    }
    guard let tree else { fatalError("libplist refused the benchmark's input") }
    return tree
  }

  static func decode(_ bytes: [UInt8]) {
    plist_free(parse(bytes))
  }

  static func encode(_ tree: plist_t) {
    // Version 2.2.0 takes what the pointer holds for memory to be freed.
    var output: UnsafeMutablePointer<CChar>?
    var length: UInt32 = 0
    plist_to_bin(tree, &output, &length)
    free(output)
  }
}
