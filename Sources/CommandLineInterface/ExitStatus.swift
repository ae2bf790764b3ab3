public enum ExitStatus {}
