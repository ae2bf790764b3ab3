#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of objects that occur more than once, by object.
final class SharedValues {
  var strings: [Int: String] = [:]
  var data: [Int: Data] = [:]
}
