/// What is done with a document as the parser comes to its parts; `false` ends the reading.
@safe
package struct XMLEvents {
  package var begin: (XMLStartTag) -> Bool
  package var end: () -> Bool
  /// A part of the text, which can be cut anywhere; of an element that may hold no text, too.
  package var text: (UnsafeBufferPointer<UInt8>) -> Bool
  /// An entity that is not XML's own, in the text.
  package var reference: () -> Bool

  package init(
    begin: @escaping (XMLStartTag) -> Bool = { _ in true },
    end: @escaping () -> Bool = { true },
    text: @escaping (UnsafeBufferPointer<UInt8>) -> Bool = { _ in true },
    reference: @escaping () -> Bool = { true }
  ) {
    self.begin = begin
    self.end = end
    unsafe self.text = text
    self.reference = reference
  }
}
