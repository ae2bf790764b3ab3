internal import LinuxSystem
internal import Synchronization
package import Xattr

/// What a walk visits, and what ends it.
public struct WalkOptions: Sendable {
  public struct Kinds: OptionSet, Sendable {
    public let rawValue: UInt8

    public static let files = Kinds(rawValue: 1)
    public static let directories = Kinds(rawValue: 2)
    /// Links, FIFOs, sockets and devices.
    public static let others = Kinds(rawValue: 4)
    public static let all: Kinds = [.files, .directories, .others]

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public func contains(_ kind: TreeEntry.Kind) -> Bool {
      switch kind {
      case .file: contains(.files)
      case .directory: contains(.directories)
      case .other: contains(.others)
      }
    }
  }

  /// Entries whose name begins with a period.
  public enum Hidden: Sendable {
    case visited
    /// Neither visited nor walked.
    case leftOut
  }

  /// Directories on another file system than the root.
  public enum Mounts: Sendable {
    case walked
    /// Visited, since their names belong to the tree, but not walked.
    case leftOut
  }

  /// The depth down to which entries are visited; those of the root itself have depth 1.
  public var maximumDepth: Int?
  public var hidden: Hidden
  public var mounts: Mounts
  public var cancellation: WalkCancellation?
  /// The kinds that are visited; directories are walked in any case.
  public var kinds: Kinds
  /// An attribute that is read of each entry before the visit, which is the fastest place for it.
  package var attribute: Attribute?

  package struct Attribute: Sendable {
    /// What becomes of entries without the attribute.
    package enum Absent: Sendable {
      case visited
      case leftOut
    }

    package let name: AttributeName
    package let absent: Absent

    package init(_ name: AttributeName, absent: Absent) {
      self.name = name
      self.absent = absent
    }
  }

  public init(
    maximumDepth: Int? = nil, hidden: Hidden = .visited, mounts: Mounts = .walked,
    cancellation: WalkCancellation? = nil, kinds: Kinds = .all
  ) {
    self.maximumDepth = maximumDepth
    self.hidden = hidden
    self.mounts = mounts
    self.cancellation = cancellation
    self.kinds = kinds
  }
}

/// A flag that ends a walk before its next entry; a signal handler may set it.
public final class WalkCancellation: Sendable {
  private let flag = Atomic(false)

  public init() {}

  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  public func cancel() { flag.store(true, ordering: .relaxed) }
}
