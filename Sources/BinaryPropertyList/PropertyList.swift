public enum PropertyList: Sendable { case null }
