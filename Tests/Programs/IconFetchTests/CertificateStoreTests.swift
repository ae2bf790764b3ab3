import TestSupport
import Testing

@testable import IconFetch

@Suite struct CertificateStoreTests {
  @Test func directoryWithHashLinksIsPreferred() throws {
    let directory = try TemporaryDirectory()
    let bundle = try directory.file("bundle.crt")
    let bundles = [directory.path("missing.crt"), bundle]
    let choice = { CertificateStore(directory: directory.root, bundles: bundles) }
    #expect(choice().directory == nil)
    #expect(choice().bundle == bundle)
    try directory.file("5ad8a5d6.0")
    #expect(choice().directory == directory.root)
    #expect(choice().bundle == nil)
  }

  @Test func missingDirectoryAndBundlesTrustNothing() {
    let store = CertificateStore(directory: "/nonexistent", bundles: ["/nonexistent/bundle"])
    #expect(store.directory == nil)
    #expect(store.bundle == nil)
  }

  @Test(arguments: [
    ("5ad8a5d6.0", true), ("00000000.12", true), ("5ad8a5d6.", false), ("5ad8a5d6.r0", false),
    ("5AD8A5D6.0", false), ("5ad8a5d.0", false), ("5ad8a5d6", false), ("", false),
    ("ca-certificates.crt", false),
  ])
  func hashNameIsEightHexadecimalDigitsAndANumber(_ name: String, _ isHash: Bool) {
    #expect(CertificateStore.isHashName(Array(name.utf8)) == isHash)
  }
}
