import ForeignFormats
import FuzzInput
import PackageDatabases

/// Takes an input for the files of a package manager's database: a byte with the manager, and parts with a
/// NUL between them.
@c(LLVMFuzzerTestOneInput)
public func fuzzPackages(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let kind = input.first else { return 0 }
  let content = Array(input.dropFirst())
  let parts = content.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map {
    Array($0)
  }
  func part(_ number: Int) -> [UInt8] { parts.indices.contains(number) ? parts[number] : [] }
  let aliases = PathAliases([(Array("/bin".utf8), Array("/usr/bin".utf8))])
  let path = Array("/usr/bin/tiny".utf8)
  func records(_ question: PackageQuestion) -> [PackageRecord] {
    switch kind % 5 {
    case 0:
      let list = DpkgDatabase.FileList(
        path: [], name: Array("tiny".utf8), content: part(0), checksums: part(3))
      return DpkgDatabase(
        lists: Array(repeating: list, count: kind & 8 == 0 ? 1 : 20), status: part(1),
        diversions: DpkgDiversions(part(2))
      ).records(question, aliases)
    case 1:
      return PacmanPackage(database: [], files: part(0), description: part(1))
        .records(question, aliases)
    case 2:
      return PythonDistribution(
        site: Array("/usr/lib/python3/dist-packages".utf8), database: [], record: part(0),
        metadata: part(1)
      ).records(question)
    case 3:
      return (try? RpmDatabase.records(question, aliases, header: content, database: [])) ?? []
    default:
      let snap = SnapDescription(content)
      claim(snap.name != "" && snap.version != "", "a text is empty")
      return []
    }
  }
  let all = records(PackageQuestion(.trees([[0x2f]]), wantsChecksums: true))
  for record in all {
    claim(!record.package.isEmpty, "a package has no name")
    claim(record.file.first == 0x2f, "a file has no absolute path")
    claim(record.checksum.map { $0.digest.count == $0.algorithm.length } ?? true, "a digest is cut")
    claim(record.checksum == nil || kind % 5 != 4, "a snap has a checksum")
  }
  // A question for one file has the answer that the question for all has for it.
  let one = records(PackageQuestion(.files([PackagedFile(path: path)]), wantsChecksums: true))
  claim(Set(one) == Set(all.filter { $0.file == path }), "one file has another answer")
  return 0
}
