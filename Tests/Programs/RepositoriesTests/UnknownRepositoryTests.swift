import Foundation
import TestSupport
import Testing

/// Repositories and indexes in formats that libgit2 does not know: a reason, and no record.
@Suite struct UnknownRepositoryTests {
  private let repository: GitRepository

  init() throws {
    repository = try GitRepository()
    for path in ["a", "b/c", "d/e"] { try repository.write(path) }
    try repository.commit("First")
  }

  private func expect(
    _ reason: String, _ repository: GitRepository, _ paths: [String] = ["a", "b", "nowhere", ""],
    location: SourceLocation = #_sourceLocation
  ) {
    for path in paths {
      let answer = repository.answer(path)
      #expect(answer.records == [], sourceLocation: location)
      #expect(answer.flaws.map(\.reason) == [reason], sourceLocation: location)
      #expect(!answer.isMissing, sourceLocation: location)
    }
    for extent: [UInt8] in [[], [0x62]] {
      #expect(
        repository.answer(.trees([extent])).flaws.map(\.reason) == [reason],
        sourceLocation: location)
      #expect(
        repository.answer(.entries(extent)).flaws.map(\.reason) == [reason],
        sourceLocation: location)
    }
  }

  @Test func repositoryWithSHA256HasAReason() throws {
    let other = GitRepository(at: repository.place, root: repository.place.path("other"))
    try repository.git(["init", "-q", "--object-format=sha256", other.root])
    try other.write("a")
    try other.commit("First")
    expect("unsupported extension name extensions.objectformat", other)
  }

  /// As git 2.45 and later make one; git 2.39 cannot.
  @Test func repositoryWithAReftableHasAReason() throws {
    try repository.git("config", "core.repositoryformatversion", "1")
    try repository.git("config", "extensions.refstorage", "reftable")
    try repository.write(".git/HEAD", "ref: refs/heads/.invalid\n")
    try repository.write(".git/reftable/tables.list", "")
    expect("unsupported extension name extensions.refstorage", repository)
  }

  @Test func splitIndexHasAReason() throws {
    try repository.git("update-index", "--split-index")
    expect("unsupported mandatory extension: 'link'", repository)
  }

  @Test func sparseIndexHasAReason() throws {
    try repository.git("sparse-checkout", "set", "--cone", "--sparse-index", "b")
    expect("unsupported mandatory extension: 'sdir'", repository)
    try repository.git("sparse-checkout", "disable")
    #expect(repository.answer("a").records.map(\.state) == [.unchanged])
  }

  /// Whole directories are left out of the work tree, but not of the index.
  @Test func sparseWorkTreeWithAWholeIndexIsRead() throws {
    try repository.git("sparse-checkout", "set", "--cone", "--no-sparse-index", "b")
    #expect(repository.answer("a", "b/c").records.map(\.state) == [.unchanged, .unchanged])
    #expect(repository.answer("d").records.map(\.state) == [nil])
  }
}
