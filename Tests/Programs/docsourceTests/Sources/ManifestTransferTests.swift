import Foundation
import TestSupport
import Testing

/// Manifests on the ways that documents go, with hostile names and values.
@Suite struct ManifestTransferTests {
  /// A directory with a hostile tree in `tree`, its copy without attributes in `copy`, and what the
  /// tree carries.
  private struct Prepared {
    let directory: TemporaryDirectory
    let values: String
    let tagged: Int
  }

  private static func prepared() throws -> Prepared {
    let directory = try TemporaryDirectory()
    let seed = UInt64.random(in: 0 ... .max)
    print("ManifestTransferTests seed \(seed)")
    let tree = directory.path("tree")
    let tagged = try Tree.makeHostile(tree, seed: seed)
    #expect(try Tree.copyWithoutAttributes(tree, to: directory.path("copy")))
    let values = try Tree.values(tree)
    #expect(values.split(separator: "\n").count == tagged)
    return Prepared(directory: directory, values: values, tagged: tagged)
  }

  @Test(arguments: ["json", "getfattr"])
  func everyValueIsRestoredExactly(_ format: String) throws {
    let prepared = try Self.prepared()
    let root = prepared.directory.root
    let exported = try Docsource.run(
      "export", "--format", format, "-o", "manifest", "tree", in: root)
    #expect(exported.errors == "")
    #expect(exported.status == 0)
    let imported = try Docsource.run("import", "--root", "copy", "manifest", in: root)
    #expect(imported.errors == "docsource: manifest: \(prepared.tagged) added\n")
    #expect(imported.status == 0)
    #expect(try Tree.values(prepared.directory.path("copy")) == prepared.values)
  }

  @Test func setfattrRestoresWhatIsExported() throws {
    let prepared = try Self.prepared()
    let dump = try Docsource.run(
      "export", "--format", "getfattr", "tree", in: prepared.directory.root)
    let restored = try Execution.run(
      ["setfattr", "--restore=-"], in: prepared.directory.path("copy"), input: dump.output)
    #expect(restored.errors == "")
    #expect(restored.status == 0)
    #expect(try Tree.values(prepared.directory.path("copy")) == prepared.values)
  }

  @Test(arguments: ["text", "hex", "base64"], ["-", "user.x-document-source"])
  func dumpOfGetfattrIsImported(_ encoding: String, _ names: String) throws {
    let prepared = try Self.prepared()
    let dump = try Execution.run(
      ["getfattr", "-R", "-d", "-e", encoding, "-m", names, "."],
      in: prepared.directory.path("tree"))
    #expect(dump.errors == "")
    #expect(dump.status == 0)
    let imported = try Execution.run(
      [Docsource.path, "import", "-q", "--root", "copy", "-"], in: prepared.directory.root,
      input: dump.output)
    #expect(imported.errors == "")
    #expect(imported.status == 0)
    // getfattr leaves the last byte out of text where that is NUL.
    let expected = encoding == "text" ? Self.withoutLastNUL(prepared.values) : prepared.values
    #expect(try Tree.values(prepared.directory.path("copy")) == expected)
  }

  private static func withoutLastNUL(_ values: String) -> String {
    values.split(separator: "\n").map { ($0.hasSuffix("00") ? $0.dropLast(2) : $0) + "\n" }
      .joined()
  }

  @Test(arguments: ["input", "true", "false"])
  func clonedRepositoryIsRestoredByOneCommand(_ autocrlf: String) throws {
    let prepared = try Self.prepared()
    // Git keeps no empty directory, and refuses to track what looks like a part of its own.
    let script = """
      cd tree && find . -type d -empty -exec touch {}/.keep \\; &&
      "$0" export -o .x-document-source &&
      git init -q && git config core.autocrlf \(autocrlf) && git config core.safecrlf false &&
      git add -A && git -c user.name=a -c user.email=a@b commit -qm tree && cd .. &&
      git clone -q -c core.autocrlf=\(autocrlf) tree clone && cd clone && "$0" import -q
      """
    let cloned = try Execution.run(
      ["sh", "-c", script, Docsource.path], in: prepared.directory.root,
      environment: ["HOME": prepared.directory.root, "GIT_CONFIG_NOSYSTEM": "1"])
    #expect(cloned.text == "")
    #expect(cloned.errors == "")
    #expect(cloned.status == 0)
    #expect(try Tree.values(prepared.directory.path("clone")) == prepared.values)
    let manifest = try prepared.directory.bytes("clone/.x-document-source")
    #expect(manifest.contains(0x0d) == (autocrlf == "true"))
  }

  @Test func zipCarriesTheManifest() throws {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p tree/sub && touch tree/a "tree/sub/b c" tree/ü && "$0" tag -rq --app-name ü tree &&
      "$0" tag -q -i a.b tree/sub && cd tree && "$0" export -o .x-document-source &&
      zip -qr -ll ../tree.zip . && cd .. && unzip -q tree.zip -d out && "$0" import -q --root out
      """
    let zipped = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(zipped.text == "")
    #expect(zipped.errors == "")
    #expect(zipped.status == 0)
    #expect(try Tree.values(directory.path("out")) == Tree.values(directory.path("tree")))
    #expect(try Tree.values(directory.path("out")).split(separator: "\n").count == 4)
  }

  @Test(arguments: ["json", "getfattr"], ["7bit", "quoted-printable", "base64"])
  func mailCarriesTheManifestAsText(_ format: String, _ encoding: String) throws {
    let prepared = try Self.prepared()
    let exported = try Docsource.run(
      "export", "--format", format, "-o", "manifest", "tree", in: prepared.directory.root)
    #expect(exported.status == 0)
    let script = """
      import email, email.policy, sys
      from email.message import EmailMessage
      message = EmailMessage(policy=email.policy.SMTP)
      encoding = sys.argv[1]
      # A line of mail has 998 characters at most, so only the encodings carry longer ones.
      text = open("manifest", encoding="ascii").read()
      message.set_content(text, cte="base64" if encoding == "7bit"
                          and max(map(len, text.split("\\n"))) > 998 else encoding)
      parsed = email.message_from_bytes(message.as_bytes(), policy=email.policy.default)
      sys.stdout.write(parsed.get_content())
      """
    let mailed = try Execution.run(
      ["python3", "-c", script, encoding], in: prepared.directory.root)
    #expect(mailed.errors == "")
    #expect(mailed.status == 0)
    let imported = try Execution.run(
      [Docsource.path, "import", "-q", "--root", "copy", "-"], in: prepared.directory.root,
      input: mailed.output)
    #expect(imported.errors == "")
    #expect(imported.status == 0)
    #expect(try Tree.values(prepared.directory.path("copy")) == prepared.values)
  }

  /// The line is 96 MiB; the tool may use a fraction of that.
  @Test(arguments: ["aaaa", "{\"a\"", "# fi"])
  func endlessLineFillsNoMemory(_ piece: String) throws {
    let directory = try TemporaryDirectory()
    let script = """
      import resource, subprocess, sys
      process = subprocess.Popen([sys.argv[1], "import", "-"], stdin=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
      block = sys.argv[2].encode() * (1 << 18)
      for _ in range(96):
          try: process.stdin.write(block)
          except BrokenPipeError: break
      process.communicate()
      print(process.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
      """
    let run = try Execution.run(
      ["python3", "-c", script, Docsource.path, piece], in: directory.root)
    let numbers = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    #expect(numbers.count == 2)
    #expect(numbers.first == 2)
    #expect(try #require(numbers.last) < 48, "MiB")
  }
}
