import Foundation

/// The C library as `make lib` builds it, and programs that use it.
package enum SharedLibrary {
  /// Where it is built, with its links.
  package static let directory = Fixture.root.appending(path: ".build").path
  package static let soname = "libdocumentsource.so.1"
  package static let path = "\(directory)/\(soname)"
  package static let headers = source("CLibrary/CDocumentSource/include")

  /// The sources have changed since the library was built.
  package struct Stale: Error, CustomStringConvertible {
    package let description = "the C library was built of other sources: run 'make lib'"
  }

  /// Whether tests of it are to run: always in `make test` and in CI, where failing is better than
  /// skipping, otherwise where it has been built.
  ///
  /// - Throws: `Stale`, since tests of an older library would say nothing of the sources.
  package static var isExpected: Bool { get throws { try expectation.get() } }

  private static let expectation: Result<Bool, any Error> = Result {
    guard FileManager.default.fileExists(atPath: path) else {
      let environment = ProcessInfo.processInfo.environment
      return environment["CI"] == "true" || environment["DOCSOURCE"] != nil
    }
    let sources = try Execution.run([source("Integrations/library-sources"), Fixture.root.path])
    let built = try? String(contentsOfFile: "\(directory)/library-sources", encoding: .utf8)
    guard sources.status == 0, sources.text == built else { throw Stale() }
    return true
  }

  /// The path of something below `Sources`.
  package static func source(_ name: String) -> String {
    Fixture.root.appending(path: "Sources").appending(path: name).path
  }

  /// The path of a test program's source or header.
  package static func program(_ name: String) -> String {
    Fixture.root.appending(path: "Tests/CLibrary/Programs").appending(path: name).path
  }

  /// What a program that uses it needs to find it, and Python its module.
  package static let environment = [
    "LD_LIBRARY_PATH": directory, "PYTHONPATH": source("Integrations/python"),
    // Nothing is written beside the sources.
    "PYTHONDONTWRITEBYTECODE": "1",
  ]

  /// Where Debian's Python looks for modules below a prefix other than /usr.
  package static func pythonModules() throws -> String {
    let program = "import sys; print('lib/python%d.%d' % sys.version_info[:2], end='')"
    return try Execution.run(["python3", "-c", program]).text + "/dist-packages"
  }

  /// A program that did not compile.
  package struct CannotCompile: Error {
    let errors: String
  }

  /// Compiles a program in C or C++ with warnings as errors, and returns its path. One that calls no
  /// function of the library by its name is not linked with it.
  package static func compile(
    _ source: String, into directory: TemporaryDirectory
  ) throws -> String {
    let isC = source.hasSuffix(".c")
    let program = directory.path("program")
    let compiler = isC ? ["gcc", "-std=c11"] : ["g++", "-std=c++17"]
    let compiled = try Execution.run(
      compiler + ["-Wall", "-Wextra", "-Werror", "-O1", "-g", "-I\(headers)", source]
        + ["-L\(self.directory)", "-Wl,--as-needed", "-ldocumentsource", "-pthread", "-o", program])
    guard compiled.status == 0 else { throw CannotCompile(errors: compiled.errors) }
    return program
  }
}
