/// Why a whole tree is not to be written.
enum TopLevelFault {
  case none
  /// The value encoded nothing.
  case empty
  /// The value is a scalar, of the kind named as Foundation does.
  case fragment(String)
}
