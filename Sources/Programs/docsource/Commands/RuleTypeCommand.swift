import CommandLineInterface
import LinuxSystem
import TextFormats
import UniformType

/// `docsource rule type`: tells the uniform types of files.
enum RuleTypeCommand: Command {
  private static let json = ShowCommand.json
  private static let conformsTo = OptionDeclaration(
    "conforms-to", value: "TYPE",
    help: "print only whether each FILE is a TYPE, and set the status")
  private static let tree = OptionDeclaration(
    "tree", help: "print the types above as a tree; without FILE, all types")
  private static let type = OptionDeclaration(
    "type", value: "TYPE", repeats: true, help: "show TYPE instead of files")

  static let answerOfFailure: JSONFields? = ["type": .null]

  static let verb = "type"
  static let declaration = CommandDeclaration(
    name: "rule type", summary: "show the uniform types of files", operands: "[FILE...]",
    details: """
      Prints for each file its MIME type in the desktop's database, the uniform type that Apple's
      systems use for it, the types above that one, and how each was found.
      """,
    options: [
      conformsTo, tree, type, DeclaredTypes.option, Operands.noDereference, json, FileList.option,
    ],
    examples: [
      "docsource rule type photo.jpg", "docsource rule type --conforms-to=public.image photo.jpg",
    ],
    manual: ManualText(Manual.ruleType))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let ancestor = try arguments.text(conformsTo)
    let types = try RuleContent.types(type, in: arguments)
    if !types.isEmpty, !arguments.operands.isEmpty {
      throw UsageError("--type takes the place of FILE")
    }
    let isWholeTree = types.isEmpty && arguments.operands.isEmpty && arguments.has(tree)
    guard isWholeTree || !types.isEmpty || !arguments.operands.isEmpty else {
      throw UsageError("no file given")
    }
    guard let declared = DeclaredTypes(arguments, console) else { return .failed }
    let typeTree = declared.tree()
    let report = TypeReport(
      tree: typeTree, ancestor: ancestor, showsTree: arguments.has(tree),
      isJSON: arguments.has(json), console: console)
    if isWholeTree {
      report.writeWholeTree()
      return .done
    }
    var status = ExitStatus.done
    if !types.isEmpty {
      for type in types {
        if !typeTree.contains(type) {
          console.report(Array(type.utf8)[...], "unknown type")
          status = status.combined(with: .negative)
        }
        status = status.combined(with: report.write(type: type))
      }
      return status
    }
    let paths = arguments.operands.compactMap { FilePath(bytes: $0) }
    let links: Links = arguments.has(Operands.noDereference) ? .noFollow : .follow
    guard let detected = TypeDetection.types(of: paths, links: links, console) else {
      return .failed
    }
    for (path, detected) in zip(paths, detected) {
      guard let detected else {
        status = .failed
        continue
      }
      status = status.combined(with: report.write(path, detected))
    }
    return status
  }
}

/// How types are printed.
private struct TypeReport {
  let tree: TypeTree
  let ancestor: String?
  let showsTree: Bool
  let isJSON: Bool
  let console: Console

  private func status(of type: String) -> ExitStatus {
    guard let ancestor else { return .done }
    return tree.conforms(type, to: ancestor) ? .done : .negative
  }

  func write(_ path: FilePath, _ detected: DetectedType) -> ExitStatus {
    let found = detected.type(ofFileNamed: path.lastComponent, in: tree)
    let status = status(of: found.identifier)
    if isJSON {
      let mime: JSONFields = [
        "file": .path(path.bytes), "mimeType": .text(detected.mime),
        "mimeTypeBy": .text(detected.basis.rawValue),
      ]
      console.write(
        mime + fields(of: found.identifier) + ["reason": .text(word(for: found.reason))])
      return status
    }
    let name = EscapedText(path.bytes).description
    if let ancestor {
      writeConformance(name, found.identifier, ancestor)
    } else {
      console.output.writeLine(name)
      console.writeRow("mime type", "\(detected.mime), by the \(words(for: detected.basis))")
      console.writeRow("type", "\(found.identifier), \(words(for: found.reason))")
      writeAncestors(of: found.identifier)
    }
    return status
  }

  func write(type: String) -> ExitStatus {
    if isJSON {
      console.write(fields(of: type))
    } else if let ancestor {
      writeConformance(EscapedText(type).description, type, ancestor)
    } else {
      console.output.writeLine(EscapedText(type).description)
      let extensions = tree.extensions(of: type)
      if !extensions.isEmpty {
        console.writeRow("extensions", extensions.joined(separator: ", "))
      }
      let mimeTypes = tree.mimeTypes(of: type)
      if !mimeTypes.isEmpty {
        console.writeRow("mime types", mimeTypes.joined(separator: ", "))
      }
      writeAncestors(of: type)
    }
    return status(of: type)
  }

  private func writeConformance(_ name: String, _ type: String, _ ancestor: String) {
    let conforms = tree.conforms(type, to: ancestor)
    console.output.writeLine(
      "\(name): \(EscapedText(type)) \(conforms ? "is" : "is not") a \(EscapedText(ancestor))")
  }

  private func fields(of type: String) -> JSONFields {
    [
      "type": .text(type), "conformsTo": .texts(tree.ancestors(of: type)),
      "conforms": ancestor.map { .flag(tree.conforms(type, to: $0)) },
    ]
  }

  private func writeAncestors(of type: String) {
    guard showsTree else {
      let ancestors = tree.ancestors(of: type)
      if !ancestors.isEmpty {
        console.writeRow("conforms to", ancestors.joined(separator: ", "))
      }
      return
    }
    var count = 0
    writeParents(of: type, level: 2, path: [type], &count)
  }

  /// The types above, each below those that conform to it.
  private func writeParents(
    of type: String, level: Int, path: [String], _ count: inout Int
  ) {
    for parent in tree.parents(of: type) where !path.contains(parent) {
      count += 1
      // Declarations can lead to the same type in any number of ways.
      guard count <= TypeTree.ancestorLimit, level <= 64 else { return }
      console.output.writeLine(
        String(repeating: "  ", count: level) + EscapedText(parent).description)
      writeParents(of: parent, level: level + 1, path: path + [parent], &count)
    }
  }

  /// All types, each below its parents, once below each.
  func writeWholeTree() {
    var children: [String: [String]] = [:]
    var roots: [String] = []
    for type in tree.identifiers {
      let parents = tree.parents(of: type)
      if parents.isEmpty { roots.append(type) }
      for parent in parents { children[parent, default: []].append(type) }
    }
    if isJSON {
      for type in tree.identifiers { console.write(fields(of: type)) }
      return
    }
    var count = 0
    for root in roots { write(root, children, level: 0, &count) }
  }

  private static let lineLimit = 100_000

  private func write(
    _ type: String, _ children: [String: [String]], level: Int, _ count: inout Int
  ) {
    count += 1
    guard count <= Self.lineLimit else { return }
    console.output.writeLine(
      String(repeating: "  ", count: level) + EscapedText(type).description)
    guard level < 16 else { return }
    for child in children[type] ?? [] { write(child, children, level: level + 1, &count) }
  }

  private func words(for basis: DetectedType.Basis) -> String {
    switch basis {
    case .name: "name"
    case .content: "content"
    case .size: "size, which is 0"
    case .kind: "kind of file"
    }
  }

  private func word(for reason: FileType.Reason) -> String {
    switch reason {
    case .declaredMIMEType: "declared-mime-type"
    case .declaredExtension: "declared-extension"
    case .mimeType: "mime-type"
    case .chosen: "chosen"
    case .onlyExtension: "only-extension"
    case .mimeClass: "class"
    }
  }

  private func words(for reason: FileType.Reason) -> String {
    switch reason {
    case .declaredMIMEType: "by a declaration of this MIME type"
    case .declaredExtension(let name): "by a declaration of the extension .\(name)"
    case .mimeType: "which has this MIME type"
    case .chosen: "which was matched by hand"
    case .onlyExtension(let name): "as only this MIME type has the extension .\(name)"
    case .mimeClass: "by the class of the MIME type"
    }
  }
}
