/// How JSON carries what it has no form for: an object with one key that says the type.
///
/// | object | property list |
/// |---|---|
/// | `{"$data":"AQI="}` | data, in Base64 |
/// | `{"$date":"2001-01-01T00:00:00Z"}`, `{"$date":0.5}` | a date; seconds since 2001 where text would not be exact |
/// | `{"$uid":1}` | a UID |
/// | `{"$set":[]}`, `{"$orderedSet":[]}` | a set |
/// | `{"$float":1.5}` | a real of 32 bits |
/// | `{"$real":"nan"}` | a real that JSON has no number for: `nan`, `inf`, `-inf`, `nan:` and its bits |
/// | `{"$integer":"18446744073709551615"}` | an integer outside 64 bits |
/// | `{"$dictionary":{}}` | a dictionary whose only key is one of these |
enum JSONTag: String, CaseIterable {
  case data = "$data"
  case date = "$date"
  case uid = "$uid"
  case set = "$set"
  case orderedSet = "$orderedSet"
  case float = "$float"
  case real = "$real"
  case integer = "$integer"
  case dictionary = "$dictionary"
}
