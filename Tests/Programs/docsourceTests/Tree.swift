import Foundation
import TestSupport

/// Trees of tagged files, and what they carry.
enum Tree {
  /// Every path below a directory with the value it carries, both in hexadecimal, sorted; the
  /// directory itself is `2e`. Links are listed and not followed.
  static func values(_ root: String) throws -> String {
    let script = """
      import os, sys
      root = os.fsencode(sys.argv[1])
      def tell(path):
          name = os.path.relpath(path, root)
          try:
              value = os.getxattr(path, b"user.x-document-source", follow_symlinks=False)
              lines.append(name.hex() + " " + value.hex())
          except OSError:
              pass
      lines = []
      tell(root)
      for directory, directories, files in os.walk(root):
          for name in directories + files: tell(os.path.join(directory, name))
      print("\\n".join(sorted(lines)))
      """
    return try Execution.run(["python3", "-c", script, root]).text
  }

  /// Makes 500 files and directories with hostile names, two thirds of them with a value: sources,
  /// damaged ones and empty ones.
  ///
  /// - Returns: how many carry a value.
  static func makeHostile(_ root: String, seed: UInt64) throws -> Int {
    let script = """
      import os, plistlib, random, sys
      random.seed(int(sys.argv[2]))
      root = os.fsencode(sys.argv[1])
      os.mkdir(root)
      pieces = [bytes([byte]) for byte in range(1, 256) if byte != 0x2f] + [
          b"\\n", b"\\r", b"\\r\\n", b" ", b"=", b"\\\\", b"\\\\012", b"# file: ", b"#", b'"', b"0x",
          b"-", b"..", "\\u00fc".encode(), "\\u202e".encode(), "\\U0001f5c2".encode(), b"{", b"}"]
      directories = [root]
      count = tagged = 0
      while count < 500:
          name = b"".join(random.choices(pieces, k=random.randint(1, 6)))
          path = os.path.join(random.choice(directories), name)
          if name in (b".", b"..") or os.path.lexists(path): continue
          if random.random() < 0.1:
              os.mkdir(path)
              directories.append(path)
          else:
              open(path, "w").close()
          count += 1
          kind = random.randrange(6)
          if kind == 0: value = bytes(random.randrange(256) for _ in range(random.randrange(50)))
          elif kind < 4:
              text = "".join(chr(random.choice([random.randrange(1, 128),
                  random.randrange(128, 0xd800), random.randrange(0xe000, 0x10fffe)]))
                  for _ in range(random.randrange(1, 30)))
              value = plistlib.dumps({"name": text, "identifier": "a.b", "kept": [1, b"x"]},
                                     fmt=plistlib.FMT_BINARY)
          else: continue
          os.setxattr(path, b"user.x-document-source", value)
          tagged += 1
      print(tagged)
      """
    let made = try Execution.run(["python3", "-c", script, root, "\(seed >> 1)"])
    guard let tagged = Int(made.text.dropLast()) else {
      throw CocoaError(
        .executableLoad, userInfo: [NSLocalizedDescriptionKey: made.errors])
    }
    return tagged
  }

  /// Copies a tree without its attributes.
  static func copyWithoutAttributes(_ from: String, to: String) throws -> Bool {
    let script = "mkdir \"$1\" && cp -r \"$0\"/. \"$1\"/ && ! getfattr -R -d \"$1\" | grep -q ."
    return try Execution.run(["sh", "-c", script, from, to]).status == 0
  }
}
