// Uses one thing of each product as another package would, first as the README shows.
//
// Usage: Consumer; it tags and reads letter.txt in the working directory.

import BinaryPropertyList
import BinaryPropertyListCoders
import DocumentSource
import LinuxSystem
import Xattr

do {
  let attribute = DocumentSourceAttribute(of: .path(FilePath("letter.txt")))
  let plan = try attribute.plan(SourceChange(to: DocumentSource(identifier: "org.example.editor")))
  try attribute.write(plan)
  if case .source(let source, _) = try attribute.read().content { print(source.identifier ?? "") }

  let value: PropertyList = .dictionary(["name": .string("Consumer")])
  let bytes = try value.binary()
  print(try BinaryPropertyListDecoder().decode([String: String].self, from: bytes))
  print(try ExtendedAttributes(of: .path(FilePath("letter.txt"))).names())
} catch {
  print("failed: \(error)")
}
