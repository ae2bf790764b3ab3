/// What a table says of an object to those who will read what is in it, in one answer.
///
/// It retains nothing: it is for those who have the table.
package struct ObjectContents {
  package let kind: ObjectKind
  /// Whether containers refer to the object more than once.
  package let isShared: Bool
  /// Whether equal keys are among a dictionary's.
  package let hasDuplicateKeys: Bool
  /// How many elements or pairs there are.
  package let count: Int
  /// Where the references to keys begin.
  let keyOffset: Int
  /// Where the references to values or elements begin.
  let valueOffset: Int
}
