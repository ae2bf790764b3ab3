/// Writes the completion script for fish 3.4 or later.
struct FishCompletion {
  let tool: ToolDeclaration

  var script: String {
    let verbs = tool.allCommands
    let gathering =
      [(words: "", members: tool.commands)]
      + verbs.filter { !$0.members.isEmpty }.map { ($0.name, $0.members) }
    var lines: [String] = []
    for (words, members) in gathering {
      lines += members.map { offer($0, "behind", words) }
    }
    lines += tool.options.map { complete($0, among: tool.options, of: "") }
    for verb in verbs {
      lines += verb.kinds.compactMap { operands($0, of: verb.name) }
      if verb.kinds.contains(.verb) {
        for (words, members) in gathering {
          lines += members.map {
            offer($0, "shows", words.isEmpty ? verb.name : "\(verb.name) \(words)")
          }
        }
      }
      lines += arguments(of: verb)
      lines += verb.options.map { complete($0, among: verb.options, of: verb.name) }
    }
    let names = verbs.map { quoted($0.name) }.joined(separator: " ")
    return script(tool.name, verbs: names, completions: lines.joined(separator: "\n"))
  }

  private func offer(_ verb: CommandDeclaration, _ condition: String, _ words: String) -> String {
    let test =
      words.isEmpty ? "__\(tool.name)_\(condition)" : "__\(tool.name)_\(condition) \(words)"
    return "complete -c \(tool.name) -n \(quoted(test)) -a \(verb.word) -d \(quoted(verb.summary))"
  }

  private func complete(
    _ option: OptionDeclaration, among options: [OptionDeclaration], of verb: String
  ) -> String {
    let letters = options.filter { $0.placeholder == nil }.compactMap(\.short).map(String.init)
    var test = verb.isEmpty ? "__\(tool.name)_behind" : "__\(tool.name)_at \(verb)"
    if !verb.isEmpty && !option.repeats {
      test += "; and __\(tool.name)_lacks \(option.long) \"\(option.short.map(String.init) ?? "")\""
      test += " \"\(letters.joined())\"" + (option.placeholder == nil ? "" : " value")
    }
    var line = "complete -c \(tool.name) -n \(quoted(test))"
    if let short = option.short { line += " -s \(short)" }
    line += " -l \(option.long)"
    if option.placeholder != nil { line += " " + value(option.kind) }
    return line + " -d \(quoted(option.help))"
  }

  private func value(_ kind: ValueKind) -> String {
    if kind == .file { return "-r -F" }
    return "-x" + (candidates(kind).map { " -a \(quoted($0))" } ?? "")
  }

  private func operands(_ kind: ValueKind, of verb: String) -> String? {
    let line = "complete -c \(tool.name) -n \(quoted("__\(tool.name)_at \(verb)"))"
    return kind == .file ? line + " -F" : candidates(kind).map { line + " -a \(quoted($0))" }
  }

  /// Files, behind an option that runs a command.
  private func arguments(of verb: CommandDeclaration) -> [String] {
    let forms = verb.options.filter { $0.kind == .command }.flatMap { option in
      ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
    }
    guard !forms.isEmpty else { return [] }
    let test =
      "__\(tool.name)_at \(verb.name); and __\(tool.name)_runs \(forms.joined(separator: " "))"
    return ["complete -c \(tool.name) -n \(quoted(test)) -F"]
  }

  private func candidates(_ kind: ValueKind) -> String? {
    switch kind {
    case .text, .file, .verb: nil
    case .directory: "(__fish_complete_directories)"
    case .identifier: "(__\(tool.name)_identifiers)"
    case .ownIdentifier: "(__\(tool.name)_identifiers --known-from user)"
    case .mark: "(__\(tool.name)_marks)"
    case .host: "(__\(tool.name)_hosts)"
    case .command: "(__fish_complete_command)"
    case .target(let words): "(__\(tool.name)_targets \(words.joined(separator: " ")))"
    case .choice(let words): words.joined(separator: " ")
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { "\\'".contains($0) ? ["\\", $0] : [$0] }) + "'"
  }

  private func script(_ name: String, verbs: String, completions: String) -> String {
    #"""
    # fish completion for \#(name), written by '\#(name) completions fish'.

    # The words that name the verb.
    function __\#(name)_verb
        set -l words (commandline -opc)
        set -e words[1]
        set -l verb
        for word in $words
            set -l longer (string join -- ' ' $verb $word)
            contains -- $longer \#(verbs); or break
            set verb $longer
        end
        echo "$verb"
    end

    # Whether the command line is at this verb.
    function __\#(name)_at
        set -l verb (__\#(name)_verb)
        test "$verb" = "$argv"
    end

    # Whether nothing but these words is there so far.
    function __\#(name)_behind
        set -l words (commandline -opc)
        set -e words[1]
        test "$words" = "$argv"
    end

    # The same, whatever options are among them.
    function __\#(name)_shows
        set -l words (commandline -opc)
        set -e words[1]
        set -l plain (string match -v -- '-*' $words)
        test "$plain" = "$argv"
    end

    # Whether an option is not given yet, or its value is what is being typed.
    function __\#(name)_lacks -a long short letters value
        set -l words (commandline -opc)
        set -e words[1]
        set -l given "--$long(=.*)?"
        set -l open "--$long"
        if test -n "$short"
            set given "$given|-[$letters]*$short.*"
            set open "$open|-[$letters]*$short"
        end
        if test -n "$value"; and string match -rq -- "^($open)\$" "$words[-1]"
            return 0
        end
        not string match -rq -- "^($given)\$" $words
    end

    # Whether one of these options has begun a command.
    function __\#(name)_runs
        for word in (commandline -opc)
            contains -- $word $argv; and return 0
        end
        return 1
    end

    # The command, which is as it was typed.
    function __\#(name)_program
        set -l words (commandline -opc)
        set -l program $words[1]
        if string match -q -- '~/*' $program
            set program $HOME/(string sub -s 3 -- $program)
        end
        command -q -- $program; or set program \#(name)
        echo $program
    end

    # fish itself takes any part of an identifier, in either case.
    function __\#(name)_identifiers
        set -l program (__\#(name)_program)
        $program apps list --json $argv 2>/dev/null | string replace -rf -- \
            '^.*"identifier":"([^"\\\\]+)"(?:.*"name":"([^"\\\\]+)")?.*$' '$1\t$2'
    end

    # The first file on the command line.
    function __\#(name)_file
        set -l words (commandline -op)
        for word in $words[3..-1]
            string match -q -- '-*' $word; and continue
            test -e "$word"; or continue
            echo $word
            return
        end
        return 1
    end

    # The marks of the first file on the command line.
    function __\#(name)_marks
        set -l program (__\#(name)_program)
        set -l file (__\#(name)_file); or return
        $program trace --json --no-recent -- $file 2>/dev/null |
            string match -rag -- '"carrier":"([^"\\\\]+)"'
    end

    # What the first file on the command line can be shared with, or these words.
    function __\#(name)_targets
        set -l program (__\#(name)_program)
        if set -l file (__\#(name)_file)
            $program share --list --json -- $file 2>/dev/null | string replace -rf -- \
                '^.*"target":"([^"\\\\]+)"(?:.*"name":"([^"\\\\]+)")?.*$' '$1\t$2'
        else
            printf '%s\n' $argv
        end
    end

    function __\#(name)_hosts
        set -l program (__\#(name)_program)
        $program icon trust list 2>/dev/null
    end

    complete -c \#(name) -f
    \#(completions)

    """#
  }
}
