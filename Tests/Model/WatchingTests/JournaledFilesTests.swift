import CLinux
import LinuxSystem
import Testing

@testable import Watching
@testable import Witness

@Suite struct JournaledFilesTests {
  private typealias Events = [WitnessRecord.Event]

  private static let (file, other) = (FileKey(bytes: [1]), FileKey(bytes: [2]))
  private static let (program, loader) = (FileKey(bytes: [3]), FileKey(bytes: [4]))
  private static let (editor, attacker) = (ProcessKey(inode: 7), ProcessKey(inode: 8))
  private static let save: JournalEvent.Actions = [.created, .modified, .closed]
  private static let record = [
    WitnessRecord.Event(
      application: "org.example.Editor", executable: "/usr/bin/editor", knowledge: .executable,
      action: .created, time: 150)
  ]

  /// With both processes observed.
  private static func files(_ events: JournalEvent..., limit: Int = 1 << 16) -> JournaledFiles {
    var files = JournaledFiles(since: 100, fileLimit: limit, processLimit: limit)
    observe(&files)
    for event in events { files.take(event, at: 200) }
    return files
  }

  private static func observe(_ files: inout JournaledFiles) {
    for process in [editor, attacker] {
      guard let writer = files.unobserved(process) else { continue }
      let isCurrent = files.observe(writer)
      #expect(isCurrent)
    }
  }

  private static func writer(_ files: JournaledFiles, born: Int64 = 150) -> ProcessKey? {
    guard case .created(let writer) = files.content(of: file, born: born) else { return nil }
    return writer.process
  }

  @Test func fileIsOfTheProgramThatHasMadeAndWrittenIt() {
    let whole = Self.files(.wrote(Self.file, Self.save, by: Self.editor))
    #expect(Self.writer(whole) == Self.editor)
    #expect(whole.content(of: Self.other, born: 150) == nil)
    // In several events.
    #expect(
      Self.writer(
        Self.files(
          .wrote(Self.file, .created, by: Self.editor),
          .wrote(Self.other, Self.save, by: Self.attacker),
          .wrote(Self.file, .modified, by: Self.editor),
          .wrote(Self.file, .closed, by: Self.editor),
          .wrote(Self.file, [.modified, .closed], by: Self.editor))) == Self.editor)
    // Made before the journal began.
    #expect(Self.writer(whole, born: 99) == nil)
    #expect(Self.writer(whole, born: 100) == Self.editor)
    // Made after all that is known of a file with this key.
    #expect(Self.writer(whole, born: 200) == Self.editor)
    #expect(Self.writer(whole, born: 201) == nil)
    #expect(whole.content(of: Self.file, born: nil) == nil)
  }

  /// On ext4, a later file can have the key of one that is deleted.
  @Test func fileIsNotTakenForAnEarlierOne() throws {
    let (save, deleted) = (Self.save, JournalEvent.Actions.deleted)
    var files = Self.files(
      .wrote(Self.file, save, by: Self.editor), .wrote(Self.file, deleted, by: Self.attacker))
    #expect(files.content(of: Self.file, born: 150) == nil)
    var other = files
    // In the same turn, what the attacker does to the later file may seem done to the earlier one.
    other.take(.wrote(Self.file, save, by: Self.editor), at: 300)
    #expect(other.content(of: Self.file, born: 250) == nil)
    other.take(.wrote(Self.file, [.deleted, .modified], by: Self.attacker), at: 300)
    other.endTurn()
    other.take(.wrote(Self.file, save, by: Self.editor), at: 300)
    #expect(Self.writer(other, born: 250) == Self.editor)
    files.endTurn()
    var linked = files
    files.take(.wrote(Self.file, save, by: Self.attacker), at: 300)
    #expect(Self.writer(files, born: 250) == Self.attacker)
    // Made without a name.
    linked.take(.wrote(Self.file, .modified, by: Self.editor), at: 300)
    linked.take(.wrote(Self.file, save, by: Self.editor), at: 300)
    #expect(linked.content(of: Self.file, born: 250) == nil)
    // One process may do it all, and what it did to a file that nobody knew.
    var own = Self.files(
      .wrote(Self.file, [.created, .modified, .closed, .deleted], by: Self.editor),
      .wrote(Self.file, save, by: Self.editor), .wrote(Self.other, deleted, by: Self.editor),
      .wrote(Self.other, save, by: Self.editor))
    #expect(Self.writer(own) == Self.editor)
    #expect(own.content(of: Self.other, born: 150) == own.content(of: Self.file, born: 150))
    // A record ends with its file.
    own.hasRecord(Self.record, Self.file, born: 150)
    own.take(.wrote(Self.file, deleted, by: Self.editor), at: 200)
    #expect(own.content(of: Self.file, born: 150) == nil)
    own.take(.wrote(Self.file, save, by: Self.editor), at: 200)
    #expect(Self.writer(own) == Self.editor)
  }

  @Test(
    arguments: [
      // A file that was there.
      [.wrote(file, [.modified, .closed], by: editor)],
      // Not complete.
      [.wrote(file, [.created, .modified], by: editor)],
      [.wrote(file, [.created, .closed], by: editor)],
      // Another one writes before, meanwhile or afterwards.
      [.wrote(file, .created, by: attacker), .wrote(file, [.modified, .closed], by: editor)],
      [
        .wrote(file, .created, by: editor), .wrote(file, .modified, by: attacker),
        .wrote(file, [.modified, .closed], by: editor),
      ],
      [.wrote(file, save, by: editor), .wrote(file, .closed, by: attacker)],
      [.wrote(file, save, by: editor), .wrote(file, .closed, by: nil)],
      [.wrote(file, save, by: nil), .wrote(file, save, by: nil)],
      // Without a name at first, then a name by link(2).
      [
        .wrote(file, .modified, by: attacker), .wrote(file, .created, by: editor),
        .wrote(file, [.modified, .closed], by: editor),
      ],
      [.wrote(file, .modified, by: editor), .wrote(file, save, by: editor)],
      // Written by one program, closed by the next that the same process runs.
      [
        .wrote(file, [.created, .modified], by: editor), .ran(program, by: editor),
        .wrote(file, .closed, by: editor),
      ],
      // By a program that nobody has seen the process run.
      [.ran(program, by: editor), .wrote(file, save, by: editor)],
      [.wrote(file, save, by: ProcessKey(inode: 9))],
      [.wrote(file, save, by: editor), .overflow],
      [.overflow, .wrote(file, [.modified, .closed], by: editor)],
    ] as [[JournalEvent]])
  func fileIsOfNobodyElse(_ events: [JournalEvent]) {
    var files = Self.files()
    for event in events { files.take(event, at: 200) }
    #expect(Self.writer(files) == nil)
    #expect(Self.writer(files, born: 300) == nil)
    // Nor is what was written before a process was seen that process's afterwards.
    Self.observe(&files)
    files.take(.wrote(Self.file, [.modified, .closed], by: Self.editor), at: 200)
    #expect(Self.writer(files) == nil || events.count == 1 && events[0].isOfEditor)
  }

  @Test func processIsAnotherWriterWithAnotherProgram() throws {
    var files = Self.files()
    files.take(.ran(Self.program, by: Self.editor), at: 200)
    files.take(.ran(Self.loader, by: Self.editor), at: 200)
    #expect(files.opened(by: Self.editor) == [Self.program, Self.loader])
    let first = files.unobserved(Self.editor)
    let writer = try #require(first)
    // Another one begins to run meanwhile.
    files.take(.ran(Self.other, by: Self.editor), at: 200)
    #expect(files.opened(by: Self.editor) == [Self.loader, Self.other])
    let isCurrent = files.observe(writer)
    #expect(!isCurrent)
    let program = files.unobserved(Self.editor)
    let next = try #require(program)
    let isNextCurrent = files.observe(next)
    #expect(isNextCurrent)
    let isUnobserved = files.unobserved(Self.editor) != nil
    #expect(!isUnobserved)
    files.take(.wrote(Self.file, Self.save, by: Self.editor), at: 200)
    files.take(.ran(Self.program, by: Self.attacker), at: 200)
    #expect(files.content(of: Self.file, born: 150) == .created(by: next))
    files.take(.ran(Self.program, by: Self.editor), at: 200)
    // The file is still that of the former program.
    #expect(files.content(of: Self.file, born: 150) == .created(by: next))
    let hasOther = files.unobserved(Self.editor) != nil
    #expect(hasOther)
    #expect(files.opened(by: ProcessKey(inode: 9)) == [])
  }

  /// It is looked at again, and counts for what it does then.
  @Test func processThatIsForgottenIsSeenAnew() throws {
    var files = Self.files(.wrote(Self.file, Self.save, by: Self.editor))
    guard case .created(let editor) = files.content(of: Self.file, born: 150) else {
      Issue.record("nobody is known")
      return
    }
    files.forget(editor)
    files.forget(editor)
    let next = files.unobserved(Self.editor)
    let writer = try #require(next)
    #expect(writer != editor)
    let isObserved = files.observe(writer)
    #expect(isObserved)
    files.take(.wrote(Self.other, Self.save, by: Self.editor), at: 200)
    #expect(files.content(of: Self.other, born: 150) == .created(by: writer))
  }

  @Test func recordIsOfWhatIsWrittenAfterwards() throws {
    var files = Self.files(.wrote(Self.file, Self.save, by: Self.editor))
    guard case .created(let editor) = files.content(of: Self.file, born: 150) else {
      Issue.record("nobody is known")
      return
    }
    files.hasRecord(Self.record, Self.file, born: 150)
    // Not for a later file with the same key.
    #expect(files.content(of: Self.file, born: 151) == nil)
    #expect(files.content(of: Self.file, born: 150) == .recorded(Self.record))
    // Changed by what is not reported.
    for version in [
      JournaledFiles.version(born: 150, size: 8), JournaledFiles.version(born: 150, modified: 161),
    ] {
      #expect(files.content(of: Self.file, version) == nil)
    }
    files.take(.wrote(Self.file, .closed, by: Self.editor), at: 200)
    #expect(files.content(of: Self.file, born: 150) == nil)
    files.take(.wrote(Self.file, .modified, by: Self.editor), at: 200)
    #expect(
      files.content(of: Self.file, born: 150) == .changed(by: editor, after: Self.record))
    files.take(.wrote(Self.file, .closed, by: Self.attacker), at: 200)
    #expect(files.content(of: Self.file, born: 150) == nil)
  }

  @Test func lostEventsMakeNothingKnown() throws {
    var files = Self.files(.wrote(Self.file, Self.save, by: Self.editor))
    let before = try #require(files.content(of: Self.file, born: 150))
    files.hasRecord(Self.record, Self.other, born: 150)
    files.take(.overflow, at: 200)
    #expect(files.content(of: Self.other, born: 150) == nil)
    let isForgotten = files.unobserved(Self.editor) != nil
    #expect(isForgotten)
    files.take(.wrote(Self.file, Self.save, by: Self.editor), at: 210)
    #expect(files.content(of: Self.file, born: 250) == nil)
    Self.observe(&files)
    files.take(.overflow, at: 220)
    Self.observe(&files)
    files.take(.wrote(Self.file, Self.save, by: Self.editor), at: 230)
    #expect(files.content(of: Self.file, born: 219) == nil)
    let after = try #require(files.content(of: Self.file, born: 220))
    #expect(after != before)
  }

  @Test func memoryIsBounded() throws {
    var files = Self.files(limit: 10)
    for number in 0..<25 {
      files.take(
        .wrote(FileKey(bytes: [9, UInt8(number)]), Self.save, by: Self.editor),
        at: 200 + Int64(number))
      files.take(.ran(Self.program, by: ProcessKey(inode: UInt64(100 + number))), at: 200)
      #expect(files.counts.files <= 10 && files.counts.processes <= 10)
    }
    // Who goes on writing is not forgotten, and the files of the last while are known.
    let isForgotten = files.unobserved(Self.editor) != nil
    #expect(!isForgotten)
    #expect(files.content(of: FileKey(bytes: [9, 24]), born: 224) != nil)
    // What was forgotten is not known by what comes later.
    #expect(files.content(of: FileKey(bytes: [9, 0]), born: 200) == nil)
    files.take(.wrote(FileKey(bytes: [9, 0]), Self.save, by: Self.editor), at: 300)
    #expect(files.content(of: FileKey(bytes: [9, 0]), born: 200) == nil)
    #expect(files.content(of: FileKey(bytes: [9, 0]), born: 300) != nil)
    files.take(.wrote(FileKey(bytes: []), Self.save, by: Self.editor), at: 200)
    #expect(files.content(of: FileKey(bytes: []), born: 300) == nil)
  }
}

extension JournaledFiles {
  fileprivate static func version(born: Int64?, size: UInt64 = 7, modified: Int64 = 160)
    -> ContentVersion
  {
    ContentVersion(inode: 1, born: born, size: size, modified: modified, changed: 170)
  }

  fileprivate func content(of key: FileKey, born: Int64?) -> Content? {
    content(of: key, Self.version(born: born))
  }

  fileprivate mutating func hasRecord(_ record: [WitnessRecord.Event], _ key: FileKey, born: Int64)
  {
    hasRecord(record, key, Self.version(born: born), at: 200)
  }
}

extension JournalEvent {
  /// Whether the editor alone has made the file, but not all that it does is reported.
  fileprivate var isOfEditor: Bool {
    guard case .wrote(_, let actions, let process) = self else { return false }
    return actions.contains(.created) && process == ProcessKey(inode: 7)
  }
}

extension FileKey {
  fileprivate init(bytes: [UInt8]) {
    var key = clinux_key()
    key.size = UInt32(bytes.count)
    withUnsafeMutableBytes(of: &key.bytes) { $0.copyBytes(from: bytes) }
    self.init(key)
  }
}
