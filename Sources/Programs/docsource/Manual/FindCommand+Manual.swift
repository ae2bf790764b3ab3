import CommandLineInterface

extension FindCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Without DIR the working directory is searched, and the paths begin without ./ unless they \
        would then begin with a dash. An operand may also be a file. Operands that are symbolic \
        links are followed, links below them are not. Entries whose names begin with a period are \
        left out, with all that is below them, unless --hidden is given or they are operands.
        """,
        """
        A file must meet all conditions; of a condition that is given several times, one. In a \
        GLOB * stands for any text, / included, ? for one character, [a-z] for one of a range, \
        [!a-z] for any other, and a backslash takes the meaning from the next character. It must \
        match the whole value. A file that lacks the field does not match. --untagged and \
        --damaged together find what is either; they exclude --identifier, --name and --path. On a \
        file system that stores no user attributes all files are untagged. What has the stream \
        that Samba keeps, and not the attribute, is found only with --samba.
        """,
        """
        The order is not defined, since several threads search. --sort orders by the bytes of the \
        paths, when everything is found; with --threads=1 the order is that of the directories. \
        Files that vanish meanwhile are passed over.
        """,
        """
        In the TEXT of --format, {path} is the path as it is listed, {file} the last part of it, \
        {identifier}, {name}, {document} and {url} are the fields, empty where they are missing; \
        {document} is the path inside the application. The escapes are \\t, \\n, \\0, \\\\, \\{ \
        and \\}. On a terminal, control characters in paths and fields are spelled out.
        """,
        """
        --json prints the members of docsource-show(1). --summary prints a line for each \
        application, with the number of its files, and how many files are untagged and damaged; \
        with --json an object for each with the members state (tagged, others, untagged or \
        damaged), identifier, name and count.
        """,
        """
        The command of --exec and --exec-batch is all words up to a word ';' or the end, and runs \
        without a shell. In its words, {} is the path, {/} the last part of it, {//} the \
        directory, and {.} and {/.} the path and the last part without extension; without any of \
        them the path becomes the last word. With --exec as many commands run at a time as there \
        are threads, with nothing on standard input, and what each writes is passed on in one \
        piece when it ends; with --threads=1 they read and write by themselves. With --exec-batch \
        one word alone may have placeholders. A command that cannot be started ends the search.
        """,
      ],
      exitStatus: [
        .done: "Something is found, and all commands succeeded.",
        .noSource: "Nothing is found.",
        .failed: """
        An operand, a directory or an attribute cannot be read, or a command failed. The rest is \
        done.
        """,
      ],
      seeAlso: ["fd(1)", "find(1)", "getfattr(1)"])
  }
}
