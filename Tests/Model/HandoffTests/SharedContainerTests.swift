import BinaryPropertyList
import Glibc
import Handoff
import LinuxSystem
import TestSupport
import Testing

struct SharedContainerTests {
  private let directory: TemporaryDirectory
  private let places: BaseDirectories

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    places = BaseDirectories { $0 == "XDG_DATA_HOME" ? Array(directory.path("data").utf8) : nil }
  }

  private func mode(_ path: FilePath) -> UInt32 {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func containerIsForTheUserAlone() throws {
    let container = try SharedContainer("group.com.example.app", in: places)
    #expect("\(container.path)" == directory.path("data/app-groups/group.com.example.app"))
    try container.create()
    #expect(mode(container.path) == 0o700)
    chmod("\(container.path)", 0o755)
    try container.edit("a") { _ in [1] }
    #expect(mode(container.path) == 0o700)
    #expect(mode(container.path.appending(FilePath("a"))) == 0o600)
    #expect(try container.content(of: "a") == [1])
    #expect(try container.content(of: "b") == nil)
  }

  @Test(arguments: [
    "", "group.", "com.example", "group./x", "group.../x", "group.a/../b", "Group.a", "group.a\n",
    "group..a", "group.a.", "..",
  ])
  func otherNamesAreRefused(name: String) {
    #expect(throws: SharedContainer.Failure.self) { try SharedContainer(name, in: places) }
  }

  @Test func linkInItsPlaceIsRefused() throws {
    let container = try SharedContainer("group.a", in: places)
    try ReplacedFile(path: container.path).makeDirectories()
    mkdir(directory.path("elsewhere"), 0o700)
    symlink(directory.path("elsewhere"), "\(container.path)")
    #expect(throws: SharedContainer.Failure.self) { try container.create() }
    #expect(throws: SharedContainer.Failure.self) { try container.check() }
    #expect(throws: SharedContainer.Failure.self) { try container.content(of: "a") }
    #expect(throws: SharedContainer.Failure.self) { try container.edit("a") { _ in [1] } }
    #expect(access(directory.path("elsewhere/a"), F_OK) != 0)
  }

  @Test(arguments: ["../a", "a/b", "", ".a", "a\0b"])
  func filesStayInTheContainer(name: String) throws {
    let container = try SharedContainer("group.a", in: places)
    #expect(throws: SharedContainer.Failure.self) { try container.edit(name) { _ in [1] } }
    #expect(throws: SharedContainer.Failure.self) { try container.content(of: name) }
  }

  @Test func settingsOfManyWritersAreAllKept() async throws {
    let container = try SharedContainer("group.a", in: places)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try? container.editSettings { $0["key\(number)"] = .integer(Int64(number)) }
        }
      }
    }
    #expect(try container.settings().count == 20)
    try container.editSettings { $0["key3"] = nil }
    #expect(try container.settings()["key3"] == nil)
    #expect(try container.settings()["key4"] == .integer(4))
  }

  @Test func damagedSettingsAreNotOverwritten() throws {
    let container = try SharedContainer("group.a", in: places)
    try container.edit(SharedContainer.settingsName) { _ in Array("damaged".utf8) }
    #expect(throws: SharedContainer.Failure.self) { try container.settings() }
    #expect(throws: SharedContainer.Failure.self) {
      try container.editSettings { $0["a"] = .integer(1) }
    }
    #expect(try container.content(of: SharedContainer.settingsName) == Array("damaged".utf8))
  }
}
