internal import LinuxSystem
internal import Xattr

extension ExtendedAttributes {
  /// The attributes that may be another system's, those first that are native to Linux.
  func forms() throws(XattrError) -> [(name: AttributeName, form: AttributeForm)] {
    let forms = try sortedNames().compactMap { name in AttributeForm(name).map { (name, $0) } }
    return [AttributeForm.Style.plain, .sambaStream, .hfsplus].flatMap { style in
      forms.filter { $0.1.style == style }
    }
  }

  /// The names of all attributes, in order; none where the file system stores none.
  func sortedNames() throws(XattrError) -> [AttributeName] {
    do throws(XattrError) {
      return try names().sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    } catch  where error.errno == .notSupported || error.errno == .invalidArgument {
      // EINVAL is what ntfs-3g at times answers where it shows streams as files.
      return []
    } catch  where error.errno == .argumentListTooLong {
      // More names than the kernel lists: those that are known can still be asked for.
      return MarkKind.names.compactMap { AttributeName("user." + $0) }
    }
  }
}
