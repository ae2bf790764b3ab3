import Foundation

/// PropertyListSerialization, which reads and writes trees of `Any`.
enum Serialization {
  static func decode(_ data: Data) -> Any {
    unfailing {
      try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    }
  }

  static func encode(_ tree: Any) {
    sink(
      unfailing {
        try PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0)
      })
  }
}
