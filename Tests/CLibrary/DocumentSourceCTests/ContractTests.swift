import Foundation
import TestSupport
import Testing

/// The library shows what the header and the checked-in ABI say, and needs little.
@Suite(.enabled(if: try SharedLibrary.isExpected)) struct ContractTests {
  private static let exports = SharedLibrary.source("CLibrary/CDocumentSource/exports.map")

  /// The functions of the header, in their order in the alphabet.
  private static func functions() throws -> [String] {
    let header = try String(
      contentsOfFile: "\(SharedLibrary.headers)/documentsource.h", encoding: .utf8)
    let code = header.split(separator: "\n").filter { !$0.hasPrefix("///") }.joined(separator: "\n")
    return code.matches(of: /\b(docsource_\w+)\(/).map { String($0.1) }.sorted()
  }

  /// The version of the ABI in which a function came.
  private static func version(of function: String) -> String {
    if function.hasPrefix("docsource_may_have_more") { return "1.9" }
    if function == "docsource_report_is_witnessed" { return "1.9" }
    if function.hasPrefix("docsource_report_part_") { return "1.3" }
    if function == "docsource_report_is_doubtful" { return "1.3" }
    if function.hasPrefix("docsource_item_") { return "1.3" }
    return function.hasPrefix("docsource_report_") ? "1.1" : "1.0"
  }

  @Test func libraryShowsTheFunctionsOfTheHeaderAndNothingElse() throws {
    let symbols = try Execution.run(["nm", "-D", "--defined-only", SharedLibrary.path])
    let functions = try Self.functions()
    #expect(functions.count == 72)
    #expect(
      symbols.text.split(separator: "\n").map { $0.drop { $0 != " " }.dropFirst() }
        == functions.map { "T \($0)@@DOCUMENTSOURCE_\(Self.version(of: $0))" })
  }

  @Test func interfaceIsTheOneThatIsCheckedIn() throws {
    let directory = try TemporaryDirectory()
    let script = Fixture.root.appending(path: "Tests/Scripts/abi-of-header").path
    let now = directory.path("now.abi")
    let written = try Execution.run([
      script, "\(SharedLibrary.headers)/documentsource.h", Self.exports, SharedLibrary.soname, now,
    ])
    #expect(written.errors == "")
    #expect(written.status == 0)
    let before = Fixture.root.appending(path: "Fixtures/ABI/libdocumentsource.abi").path
    let compared = try Execution.run(["abidiff", before, now])
    #expect(compared.text == "")
    #expect(compared.errors == "")
    #expect(compared.status == 0)
  }

  @Test func wrapperAsksForEverySubject() throws {
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(SharedLibrary.headers)/\(name)", encoding: .utf8)
    }
    let subjects = try text("documentsource.h").matches(of: /DOCSOURCE_ABOUT_\w+(?= = )/)
    let last = try #require(subjects.last).0
    #expect(
      try text("documentsource.hpp").matches(of: /number <= (\w+);/).map(\.1) == [last, last])
  }

  @Test func libraryNeedsNoRuntimeNetworkOrImages() throws {
    let dynamic = try Execution.run(["readelf", "-dW", SharedLibrary.path]).text
    func values(_ tag: String) -> [String] {
      dynamic.split(separator: "\n").filter { $0.contains("(\(tag))") }
        .compactMap { $0.firstMatch(of: /\[(.*)\]/).map { String($0.1) } }
    }
    #expect(values("SONAME") == [SharedLibrary.soname])
    #expect(values("RUNPATH") == [])
    #expect(values("RPATH") == [])
    let loader = values("NEEDED").filter { $0.hasPrefix("ld-linux") }
    #expect(
      values("NEEDED").filter { !loader.contains($0) }.sorted()
        == [
          "libattr.so.1", "libc.so.6", "libgcc_s.so.1", "libjansson.so.4", "libm.so.6",
          "libmd.so.0",
        ])
    #expect(!dynamic.contains("(TEXTREL)"))
  }

  @Test func headerIsTheLibrarysOnly() throws {
    // By itself, in C and in C++, with every warning.
    for (compiler, language) in [("gcc", "c"), ("g++", "c++")] {
      let compiled = try Execution.run([
        compiler, "-x", language, "-std=\(language)11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
        "-fsyntax-only", "\(SharedLibrary.headers)/documentsource.h",
      ])
      #expect(compiled.errors == "")
      #expect(compiled.status == 0)
    }
  }
}
