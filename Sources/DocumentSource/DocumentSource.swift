public enum DocumentSource {}
