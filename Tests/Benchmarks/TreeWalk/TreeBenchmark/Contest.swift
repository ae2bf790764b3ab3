import CTreePeer
import FileTree
import Foundation
import LinuxSystem
import Xattr

/// The same question put to several: how many files below a directory carry the attribute.
struct Contest {
  let root: String
  let attribute: String
  let name: AttributeName
  let docsource: String
  let peer: String

  init?(root: String, attribute: String, docsource: String, peer: String) {
    guard let name = AttributeName(attribute) else { return nil }
    self.root = root
    self.attribute = attribute
    self.docsource = docsource
    self.peer = peer
    self.name = name
  }

  /// By the walk and the extended attributes of each file, as `find` does it.
  func walk(workers: Int) -> Int {
    let name = name
    let blocks = try? TreeWalk.walk(
      below: FilePath(root), links: .follow, workers: workers
    ) {
      0
    } visit: { found, entry in
      guard entry.kind == .file else { return }
      if (try? ExtendedAttributes(of: entry.file).value(of: name)) != nil { found += 1 }
    } failed: { _, _ in
    }
    return blocks?.reduce(0, +) ?? -1
  }

  /// By one thread in C.
  func loop() -> Int { cpeer_count(root, attribute) }

  /// By one thread in C, a whole process.
  func process() -> Bool { run([peer, "count", root, attribute]) }

  /// By getfattr(1), a whole process.
  func getfattr() -> Bool { run(["getfattr", "-R", "-n", attribute, root]) }

  /// By the tool, a whole process that writes the paths of what it finds.
  func find(_ option: String) -> Bool { run([docsource, "find", option, root]) }

  private func run(_ words: [String]) -> Bool {
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return cpeer_run(arguments) == 0
  }
}
