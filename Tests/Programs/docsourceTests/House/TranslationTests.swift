import Foundation
import TestSupport
import Testing

/// The texts of the file managers' extension, its dialog, and what desktops show.
@Suite struct TranslationTests {
  private static let translations = SharedLibrary.source("Integrations/translations")
  private static let translate = SharedLibrary.source("Integrations/translate")

  @Test func textsAreCollectedAndTranslated() throws {
    let directory = try TemporaryDirectory()
    let copied = try Execution.run(["cp", "-r", Self.translations, directory.path("kept")])
    #expect(copied.status == 0)
    let collected = try Execution.run([Self.translate, "collect", directory.path("kept")])
    #expect(collected.errors == "")
    #expect(collected.status == 0)
    let compared = try Execution.run(["diff", "-r", Self.translations, directory.path("kept")])
    #expect(compared.text == "", "run 'make texts' and translate what is new")
    let languages = try String(contentsOfFile: "\(Self.translations)/LINGUAS", encoding: .utf8)
    #expect(languages == "de\nzh_CN\n")
    for language in languages.split(separator: "\n") {
      let missing = try Execution.run(
        ["msgattrib", "--untranslated", "\(Self.translations)/\(language).po"])
      #expect(missing.text == "")
      #expect(missing.status == 0)
    }
  }

  @Test func desktopFilesAreTranslatedAndSayTheVersion() throws {
    let directory = try TemporaryDirectory()
    let compiled = try Execution.run([Self.translate, "compile", directory.path("share")])
    #expect(compiled.errors == "")
    #expect(compiled.status == 0)
    let entry = try directory.text("share/applications/org.docsource.Dialog.desktop")
    #expect(entry.contains("\nName[de]=Quelle\n"))
    #expect(entry.contains("\nName[zh_CN]=来源\n"))
    let component = try directory.text("share/metainfo/org.docsource.docsource.metainfo.xml")
    #expect(component.contains("<summary xml:lang=\"de\">Sagt, aus welcher Anwendung"))
    let version = try Docsource.run("--version").text.split(separator: " ").last ?? ""
    #expect(component.contains("<release version=\"\(version.dropLast())\" "))
  }
}
