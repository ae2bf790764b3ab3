import CommandLineInterface

extension CompletionsCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        The scripts complete verbs, options, and what an option or verb takes: files, \
        directories, words that are few, identifiers of applications, and trusted hosts. They \
        work in bash 4.4 with or without the package bash-completion, in zsh 5 and in fish 3.4, \
        and later ones.
        """
      ],
      exitStatus: [.noSource: ""],
      files: [
        ManualText.Entry(
          "PREFIX/share/bash-completion/completions/docsource",
          "Where 'make install' puts bash's."),
        ManualText.Entry("PREFIX/share/zsh/site-functions/_docsource", "And zsh's."),
        ManualText.Entry("PREFIX/share/fish/vendor_completions.d/docsource.fish", "And fish's."),
      ],
      seeAlso: ["bash(1)", "zshcompsys(1)", "fish(1)"])
  }
}
