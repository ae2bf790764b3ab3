public enum Errno {}
