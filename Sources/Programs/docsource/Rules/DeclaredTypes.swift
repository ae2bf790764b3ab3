import CommandLineInterface
import FileTree
import Glibc
import LinuxSystem
import TextFormats
import UniformType

/// The types that the user has added to the built-in ones: by files in
/// `$XDG_DATA_HOME/docsource/types.d`, and by property lists that `--declarations` names.
struct DeclaredTypes {
  static let option = OptionDeclaration(
    "declarations", value: "FILE", repeats: true,
    help: "add the types that FILE, such as an Info.plist, declares")

  private static let fileLimit = 1 << 20

  private var declarations: [TypeDeclaration] = []

  /// - Returns: `nil` after saying which file cannot be read.
  init?(_ arguments: Arguments, _ console: Console) {
    if let home = BaseDirectories.current().dataHome {
      let directory = home.appending(FilePath("docsource/types.d"))
      for name in InstalledDirectory(path: directory).names
      where name.utf8.suffix(5).elementsEqual(".json".utf8) {
        let file = directory.appending(FilePath(name))
        guard let bytes = Self.content(file, console) else { return nil }
        guard add(bytes, .json, file.bytes, console) else { return nil }
      }
    }
    for operand in arguments.values(Self.option) {
      let input = InputFile(path: FilePath(bytes: operand))
      guard let bytes = input.read(console),
        add(bytes, PropertyListForm(ofAny: bytes), input.name, console)
      else { return nil }
    }
  }

  private static func content(_ file: FilePath, _ console: Console) -> [UInt8]? {
    do throws(Errno) {
      let descriptor = try Descriptor.open(file)
      defer { close(descriptor) }
      if let bytes = try Descriptor.read(descriptor, limit: fileLimit) { return bytes }
      console.fail(file.bytes, "cannot read: larger than \(fileLimit >> 20) MiB")
    } catch {
      console.fail(file.bytes, "cannot read: \(error.description.lowercased())")
    }
    return nil
  }

  private mutating func add(
    _ bytes: [UInt8], _ form: PropertyListForm, _ name: ArraySlice<UInt8>, _ console: Console
  ) -> Bool {
    guard let list = form.value(of: bytes, name, console) else {
      return false
    }
    do throws(TypeDeclaration.Failure) {
      declarations += try TypeDeclaration.all(in: list)
      return true
    } catch {
      console.fail(name, "cannot read types: \(error)")
      return false
    }
  }

  /// The built-in types, the user's, and others.
  func tree(adding others: [TypeDeclaration] = []) -> TypeTree {
    declarations.isEmpty && others.isEmpty ? .builtIn : TypeTree(adding: declarations + others)
  }
}
