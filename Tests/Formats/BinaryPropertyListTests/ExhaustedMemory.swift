import Glibc

/// A process in which every allocation fails, to show that some work needs none.
enum ExhaustedMemory {
  /// Does some work after all free memory was taken; an allocation in it ends the process.
  ///
  /// What the work needs once, such as types' metadata, must be there already.
  static func during(_ work: () -> Void) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &none)
    // Down to the smallest, in every size that the allocator keeps a list of.
    var size = 1 << 24
    // Each block holds the address of the one before, to be released: an unused allocation would
    // be optimised away, and this loop never end.
    var last: UnsafeMutableRawPointer?
    while size >= 16 {
      while let block = malloc(size) {
        block.storeBytes(of: UInt(bitPattern: last), as: UInt.self)
        last = block
      }
      size -= size > 4096 ? size / 2 : 16
    }
    work()
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    while let block = last {
      last = UnsafeMutableRawPointer(bitPattern: block.load(as: UInt.self))
      free(block)
    }
  }
}
