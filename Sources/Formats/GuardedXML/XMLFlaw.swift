/// Why a stranger's XML is not read any further, and where.
package struct XMLFlaw: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// An entity is declared, which can stand for as much text as its author likes.
    case entities
    /// The document type declares something else of its own.
    case declarations
    /// A tag, a reference or the document type is longer than `GuardedParser.tagLimit`.
    case longTag
    /// A tag has more attributes than `GuardedParser.attributeLimit`.
    case attributes
    /// More namespaces than `GuardedParser.namespaceLimit` are declared around one place.
    case namespaces
    /// There are more different names than `GuardedParser.nameLimit`.
    case names
    /// Elements are nested deeper than `GuardedParser.depthLimit`.
    case depth
    /// It is not well-formed.
    case malformed
    /// Whoever is told of it wants no more.
    case unwanted
  }

  package let reason: Reason
  /// How far libxml2 had read; in bytes.
  package let offset: Int
  /// The line there, from 1.
  package let line: Int
}
