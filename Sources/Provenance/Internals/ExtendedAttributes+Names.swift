internal import Xattr

extension ExtendedAttributes {
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
