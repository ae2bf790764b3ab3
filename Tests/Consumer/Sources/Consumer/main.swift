// Uses one thing of each product as another package would, and prints a file's source.

import BinaryPropertyList
import DocumentSource
import Xattr

let path = FilePath(CommandLine.arguments.dropFirst().first ?? ".")
let attribute = DocumentSourceAttribute(of: .path(path))
do {
  switch try attribute.read().content {
  case .source(let source, _): print(source.name ?? source.identifier ?? "unnamed")
  case .none(let absence): print(absence)
  }
  let value: PropertyList = .dictionary(["name": .string("Consumer")])
  print(try value.binary().count, "bytes")
  print(try ExtendedAttributes(of: .path(path)).names().count, "attributes")
} catch {
  print("failed: \(error)")
}
