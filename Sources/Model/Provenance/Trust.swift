/// How far a mark is to be trusted. None proves anything.
public enum Trust: String, Hashable, Sendable {
  /// A program of this user has recorded it here. It goes by the file's path, so that it may be of
  /// a former file there.
  case record
  /// It stands on the file itself: a claim of whoever could write the file, or has sent it.
  case claim
  /// It stands in another file, which may have been left by a former file of that name.
  case beside
  /// It stands in a file that belongs to a third user.
  case foreign
}

extension Trust: CustomStringConvertible {
  /// In words for people.
  public var description: String {
    switch self {
    case .record: "recorded here, by path"
    case .claim: "on the file itself; whoever wrote or sent it can have set it"
    case .beside: "in another file, perhaps a former one's"
    case .foreign: "in a file of another user; not to be trusted"
    }
  }
}
