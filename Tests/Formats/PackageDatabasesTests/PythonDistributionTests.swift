import ForeignFormats
import Testing

@testable import PackageDatabases

@Suite struct PythonDistributionTests {
  private static let digest = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
  private static let record = """
    tiny/__init__.py,sha256=\(digest),0
    "tiny/a,""b"".py",md5=00,3\r
    ../../../bin/tiny,,
    ../../../../outside,,
    /abs/lib/python3.11/site-packages/x,,
    /elsewhere,,
    tiny-1.0.dist-info/RECORD,,
    tiny/./c.py
    """

  private static func distribution(
    _ metadata: String, site: String = "/v/lib/python3.11/site-packages"
  )
    -> PythonDistribution
  {
    PythonDistribution(
      site: Array(site.utf8), database: Array("/r".utf8), record: Array(record.utf8),
      metadata: Array(metadata.utf8), modified: 5)
  }

  private static let metadata = "Metadata-Version: 2.1\r\nName: tiny\nVersion: 1.0\n\nName: body\n"

  @Test func recordsAreThoseOfThePrefix() {
    let records = Self.distribution(Self.metadata).records(
      PackageQuestion(.trees([[0x2f]]), wantsChecksums: true))
    #expect(
      records.map { String(decoding: $0.file, as: UTF8.self) } == [
        "/v/lib/python3.11/site-packages/tiny/__init__.py",
        "/v/lib/python3.11/site-packages/tiny/a,\"b\".py", "/v/bin/tiny",
        "/v/lib/python3.11/site-packages/tiny-1.0.dist-info/RECORD",
        "/v/lib/python3.11/site-packages/tiny/c.py",
      ])
    #expect(
      records.allSatisfy { $0.package == "tiny" && $0.version == "1.0" && $0.manager == .pip })
    #expect(records.allSatisfy { $0.installed == 5 })
    #expect(records[0].checksum?.digest.prefix(4) == [0xe3, 0xb0, 0xc4, 0x42])
    #expect(records[0].checksum?.digest.suffix(2) == [0xb8, 0x55])
    #expect(records.dropFirst().allSatisfy { $0.checksum == nil })
  }

  @Test func directoryThatIsNoPrefixHasItsOwnFilesOnly() {
    let records = Self.distribution(Self.metadata, site: "/site-packages").records(
      PackageQuestion(.trees([[0x2f]])))
    #expect(records.count == 4)
    #expect(records.allSatisfy { $0.file.starts(with: "/site-packages/tiny".utf8) })
  }

  @Test func distributionWithoutANameHasNothing() {
    for metadata in ["", "Version: 1\n", "Version: 1\n\nName: x\n", "Name:\n", "name"] {
      #expect(Self.distribution(metadata).records(PackageQuestion(.trees([[0x2f]]))) == [])
    }
    let header = PythonDistribution.header(Array("NAME:  x \nversion:".utf8))
    #expect(header?.name == "x ")
    #expect(header?.version == nil)
  }

  @Test func checksumsOfOtherFormsAreNone() {
    let wrong = ["", "sha256=", "sha256=47DE", "sha256=" + Self.digest + "AAAA", "sha512=00"]
    for text in wrong + ["sha256=" + Self.digest.dropLast() + "!"] {
      #expect(PythonDistribution.checksum(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func fileMayBeInARecordByItsName() {
    let record = Array(Self.record.utf8)
    func mayHave(_ path: String) -> Bool {
      PythonDistribution.mayHave(Array(path.utf8), in: record[...])
    }
    #expect(mayHave("/v/bin/tiny"))
    #expect(mayHave("/v/a\"b"))
    #expect(!mayHave("/v/bin/large"))
  }
}
