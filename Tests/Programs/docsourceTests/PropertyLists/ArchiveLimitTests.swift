import TestSupport
import Testing

/// `docsource adopt --archive` with archives that are small and unpack to much.
@Suite struct ArchiveLimitTests {
  /// A directory with the archive `x` of a marked file, then of zeros, then of another marked file;
  /// and with both files, which have no marks.
  private static func bomb(_ compression: String, megabytes: Int) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      import io, tarfile
      class Zeros(io.RawIOBase):
          def readable(self): return True
          def readinto(self, buffer):
              buffer[:] = bytes(len(buffer))
              return len(buffer)
      archive = tarfile.open('x', 'w:\(compression)', format=tarfile.PAX_FORMAT)
      for name in ('first', 'zeros', 'last'):
          info = tarfile.TarInfo(name)
          if name == 'zeros':
              info.size = \(megabytes) << 20
          else:
              info.pax_headers = {'SCHILY.xattr.user.mark': 'v'}
          archive.addfile(info, Zeros())
      archive.close()
      """
    let made = try Execution.run(["python3", "-c", script], in: directory.root)
    #expect(made.status == 0, "\(made.errors)")
    try directory.file("first")
    try directory.file("last")
    return directory
  }

  /// A directory as that of `bomb`, with an archive that was packed twice: after the first file and
  /// 200 KB of the second stand empty members, 50,000 times as many as given, of 20 bytes each.
  private static func packedTwice(_ times: Int) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      import gzip, io, random, tarfile
      tar = io.BytesIO()
      archive = tarfile.open(fileobj=tar, mode='w:', format=tarfile.PAX_FORMAT)
      noise = random.Random(1).randbytes(400_000)
      for name in ('first', 'noise', 'last'):
          info = tarfile.TarInfo(name)
          if name == 'noise':
              info.size = len(noise)
          else:
              info.pax_headers = {'SCHILY.xattr.user.mark': 'v'}
          archive.addfile(info, io.BytesIO(noise))
      archive.close()
      tar = tar.getvalue()
      empty = gzip.compress(gzip.compress(bytes()) * 50_000)
      with open('x', 'wb') as file:
          file.write(gzip.compress(gzip.compress(tar[:200_000])))
          for _ in range(\(times)):
              file.write(empty)
          file.write(gzip.compress(gzip.compress(tar[200_000:])))
      """
    let made = try Execution.run(["python3", "-c", script], in: directory.root)
    #expect(made.status == 0, "\(made.errors)")
    try directory.file("first")
    try directory.file("last")
    return directory
  }

  private static func adopt(
    _ options: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path, "adopt", "--archive", "x"] + options + ["."], in: directory.root)
  }

  private static func refusal(_ words: String) -> String {
    "docsource: x: cannot read archive: \(words)\n"
  }

  @Test(arguments: ["gz", "bz2", "xz"])
  func archiveIsUnpackedUpToTheLimitAndGivenAsFar(_ compression: String) throws {
    let directory = try Self.bomb(compression, megabytes: 4)
    let cut = try Self.adopt("--limit=1M", in: directory)
    #expect(cut.text == "first: adopted: mark (x:first)\n")
    #expect(cut.errors == Self.refusal("the output exceeds 1 MiB; use --limit=SIZE to allow more"))
    #expect(cut.status == 2)
    for limit in ["--limit=5M", "--limit=none"] {
      let whole = try Self.adopt(limit, "--dry-run", in: directory)
      #expect(whole.text == "last: would adopt: mark (x:last)\n")
      #expect(whole.errors == "")
      #expect(whole.status == 0)
    }
  }

  /// Zeros of 300 MiB are 300 KB of gzip.
  @Test func unlessGivenTheLimitIs256MiB() throws {
    let directory = try Self.bomb("gz", megabytes: 300)
    let cut = try Self.adopt("--dry-run", in: directory)
    #expect(cut.text == "first: would adopt: mark (x:first)\n")
    #expect(
      cut.errors == Self.refusal("the output exceeds 256 MiB; use --limit=SIZE to allow more"))
    #expect(cut.status == 2)
  }

  /// What need not be unpacked does not count, however much it is.
  @Test func tarWithoutCompressionIsReadWhole() throws {
    let directory = try Self.bomb("", megabytes: 4)
    let adopted = try Self.adopt("--limit=1M", in: directory)
    #expect(adopted.text == "first: adopted: mark (x:first)\nlast: adopted: mark (x:last)\n")
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
  }

  /// In a zip only AppleDouble files are unpacked.
  @Test func filesInAZipAreUnpackedUpToTheLimit() throws {
    let directory = try TemporaryDirectory()
    let script = """
      import zipfile
      with zipfile.ZipFile('x', 'w', zipfile.ZIP_DEFLATED) as archive:
          archive.writestr('zeros', bytes(4 << 20))
          for number in range(3):
              archive.writestr('__MACOSX/._%d' % number, bytes(600_000))
      """
    #expect(try Execution.run(["python3", "-c", script], in: directory.root).status == 0)
    func flaw(_ number: Int) -> String {
      "docsource: x: __MACOSX/._\(number): cannot read: not an AppleDouble file (at byte 0)\n"
    }
    let cut = try Self.adopt("--limit=1M", in: directory)
    #expect(
      cut.errors
        == Self.refusal("the output exceeds 1 MiB; use --limit=SIZE to allow more") + flaw(0))
    #expect(cut.status == 2)
    let whole = try Self.adopt("--limit=2M", in: directory)
    #expect(whole.errors == (0..<3).map(flaw).joined())
    #expect(whole.status == 2)
  }

  @Test func processorTimeIsLimited() throws {
    let directory = try Self.bomb("gz", megabytes: 1)
    for (seconds, errors) in [
      (
        "0",
        Self.refusal(
          "processing takes more than 0 seconds of CPU time; use --limit=none to allow more")
      ),
      ("100", ""), ("none", ""),
    ] {
      let read = try Execution.run(
        ["sh", "-c", "exec \"$0\" x none \"$1\" <x >found", Docsource.path + "-archive", seconds],
        in: directory.root)
      #expect(read.errors == errors)
      #expect(read.status == (errors.isEmpty ? 0 : 2))
    }
  }

  /// 4 MB of members that come to nothing.
  @Test func whatEachFilterUnpacksCounts() throws {
    let directory = try Self.packedTwice(4)
    let cut = try Self.adopt("--limit=2M", in: directory)
    #expect(cut.text == "first: adopted: mark (x:first)\n")
    #expect(cut.errors == Self.refusal("the output exceeds 2 MiB; use --limit=SIZE to allow more"))
    #expect(cut.status == 2)
    let whole = try Self.adopt("--limit=6M", in: directory)
    #expect(whole.text == "last: adopted: mark (x:last)\n")
    #expect(whole.errors == "")
    #expect(whole.status == 0)
  }

  /// 600 million members, which one call of libarchive passes over.
  @Test func timeIsLimitedWithinOneCallOfTheLibrary() throws {
    let directory = try Self.packedTwice(12_000)
    let cut = try Self.adopt("--limit=1T", in: directory)
    #expect(cut.text == "first: adopted: mark (x:first)\n")
    #expect(
      cut.errors
        == Self.refusal(
          "processing takes more than 10 seconds of CPU time; use --limit=none to allow more")
    )
    #expect(cut.status == 2)
  }

  @Test func limitWithoutAnArchiveIsReported() throws {
    let adopted = try Docsource.run("adopt", "--limit=1M", "f")
    #expect(
      adopted.errors
        == "docsource: adopt: --limit requires --archive; see 'docsource help adopt'\n")
    #expect(adopted.text == "")
    #expect(adopted.status == 64)
  }
}
