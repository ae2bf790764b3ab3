import Testing

@testable import Watching

@Suite struct JournaledFilesTests {
  private static let (file, other) = (FileKey(bytes: [1]), FileKey(bytes: [2]))
  private static let (editor, attacker) = (ProcessKey(inode: 7), ProcessKey(inode: 8))
  private static let save: JournalEvent.Actions = [.created, .modified, .closed]

  private static func files(_ events: JournalEvent..., limit: Int = 1 << 16) -> JournaledFiles {
    var files = JournaledFiles(since: 100, fileLimit: limit, processLimit: limit)
    for event in events { files.take(event, at: 200) }
    return files
  }

  private static func writer(_ files: JournaledFiles, born: Int64 = 150) -> ProcessKey? {
    files.soleWriter(of: file, born: born)?.process
  }

  @Test func fileIsOfTheProgramThatHasMadeAndWrittenIt() {
    let whole = Self.files(.wrote(Self.file, Self.save, by: Self.editor))
    #expect(Self.writer(whole) == Self.editor)
    #expect(whole.soleWriter(of: Self.other, born: 150) == nil)
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
        .wrote(file, [.created, .modified], by: editor), .ran(editor),
        .wrote(file, .closed, by: editor),
      ],
      [.wrote(file, save, by: editor), .overflow],
      [.overflow, .wrote(file, [.modified, .closed], by: editor)],
    ] as [[JournalEvent]])
  func fileIsOfNobodyElse(_ events: [JournalEvent]) {
    var files = Self.files()
    for event in events { files.take(event, at: 200) }
    #expect(Self.writer(files) == nil)
    #expect(Self.writer(files, born: 300) == nil)
  }

  @Test func processIsAnotherWriterWithAnotherProgram() throws {
    var files = Self.files(.ran(Self.editor), .wrote(Self.file, Self.save, by: Self.editor))
    let writer = try #require(files.soleWriter(of: Self.file, born: 150))
    #expect(files.isRunning(writer))
    files.take(.ran(Self.attacker), at: 200)
    #expect(files.isRunning(writer))
    files.take(.ran(Self.editor), at: 200)
    #expect(!files.isRunning(writer))
    // The file is still that of the former program.
    #expect(files.soleWriter(of: Self.file, born: 150) == writer)
  }

  @Test func lostEventsMakeNothingKnown() throws {
    var files = Self.files(.wrote(Self.file, Self.save, by: Self.editor))
    let writer = try #require(files.soleWriter(of: Self.file, born: 150))
    files.take(.overflow, at: 200)
    #expect(!files.isRunning(writer))
    files.take(.wrote(Self.file, Self.save, by: Self.editor), at: 210)
    #expect(files.soleWriter(of: Self.file, born: 199) == nil)
    #expect(files.soleWriter(of: Self.file, born: 200)?.process == Self.editor)
    #expect(files.soleWriter(of: Self.file, born: 200) != writer)
  }

  @Test func memoryIsBounded() throws {
    var files = Self.files(limit: 10)
    for number in 0..<25 {
      files.take(.wrote(FileKey(bytes: [9, UInt8(number)]), Self.save, by: Self.editor), at: 200)
      files.take(.ran(ProcessKey(inode: UInt64(100 + number))), at: 200)
      #expect(files.counts.files <= 10 && files.counts.processes <= 10)
    }
    // What was forgotten is not known by what comes later.
    #expect(files.soleWriter(of: FileKey(bytes: [9, 24]), born: 199) == nil)
    files.take(.wrote(FileKey(bytes: []), Self.save, by: Self.editor), at: 200)
    #expect(files.soleWriter(of: FileKey(bytes: []), born: 300) == nil)
  }
}
