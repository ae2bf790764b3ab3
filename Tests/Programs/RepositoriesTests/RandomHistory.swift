import Foundation
import TestSupport

/// A history that is written as git fast-import reads it: with branches, merges of which some take files
/// from either side and change others, files that are moved, deleted and added again, and clocks that are
/// wrong.
struct RandomHistory {
  private typealias Files = [String: Int]

  private var random: SplitMix
  private var stream = "feature done\n"
  private var commits: [Files] = []
  private let paths: [String]

  init(seed: UInt64, commits count: Int, files: Int) {
    random = SplitMix(state: seed)
    paths = (0..<files).map { "d\($0 % 7)/e\($0 % 31)/f\($0)" }
    for number in 0..<count {
      let parents = commits.isEmpty ? [] : chooseParents(isLast: number == count - 1)
      add(parents)
    }
    stream += "reset refs/heads/main\nfrom :\(count)\n\ndone\n"
  }

  var bytes: [UInt8] { Array(stream.utf8) }

  private mutating func chooseParents(isLast: Bool) -> [Int] {
    let newest = commits.indices.suffix(isLast ? 1 : 6)
    let parents = (0..<(Int.random(in: 0..<4, using: &random) == 0 ? 3 : 1)).compactMap { _ in
      newest.randomElement(using: &random)
    }
    return parents.enumerated().filter { !parents[..<$0.offset].contains($0.element) }.map(
      \.element)
  }

  private mutating func add(_ parents: [Int]) {
    let base = parents.first.map { commits[$0] } ?? [:]
    var files = base
    for parent in parents.dropFirst() {
      for path in Set(commits[parent].keys).union(files.keys).sorted()
      where Int.random(in: 0..<2, using: &random) == 0 {
        files[path] = commits[parent][path]
      }
    }
    let changes =
      parents.isEmpty ? paths.count / 2 : Int.random(in: 0...paths.count / 60 + 3, using: &random)
    for _ in 0..<changes {
      let path = paths.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<6, using: &random) {
      case 0: files[path] = nil
      case 1:
        let other = paths.randomElement(using: &random) ?? ""
        files[other] = files[path]
        files[path] = nil
      default: files[path] = Int.random(in: 0..<4, using: &random)
      }
    }
    let seconds = 1_600_000_000 + commits.count * 60 + Int.random(in: -3000...300, using: &random)
    stream += "commit refs/heads/work\nmark :\(commits.count + 1)\n"
    stream += "committer Ada <ada@example.com> \(seconds) +0000\ndata 2\nm\n"
    for (number, parent) in parents.enumerated() {
      stream += "\(number == 0 ? "from" : "merge") :\(parent + 1)\n"
    }
    for path in Set(base.keys).union(files.keys).sorted() where base[path] != files[path] {
      if let content = files[path] {
        stream += "M \(content == 3 ? "100755" : "100644") inline \(path)\ndata 2\n\(content)\n"
      } else {
        stream += "D \(path)\n"
      }
    }
    stream += "\n"
    commits.append(files)
  }
}
