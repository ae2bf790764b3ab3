/// Where and why bytes are no JSON, as Jansson tells it.
package struct JSONSyntaxError: Error {
  package let reason: String
  /// From 1.
  package let line: Int
  /// From 1, in characters.
  package let column: Int
  /// In bytes from the start, where reading stopped.
  package let offset: Int
  package let isNumberTooLarge: Bool
  package let isRepeatedKey: Bool
}
