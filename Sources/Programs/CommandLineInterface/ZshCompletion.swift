/// Writes the completion script for zsh.
struct ZshCompletion {
  let tool: ToolDeclaration

  var script: String {
    let verbs = tool.allCommands
    let gathering =
      [members(of: "", tool.commands)]
      + verbs.filter { !$0.members.isEmpty }.map { members(of: $0.name, $0.members) }
    let functions =
      [function("", members: tool.commands, options: tool.options, kinds: [])]
      + verbs.map {
        function($0.name, members: $0.members, options: $0.options, kinds: $0.kinds)
      }
    return script(
      tool.name, members: gathering.joined(separator: "\n"),
      functions: functions.joined(separator: "\n\n"))
  }

  private func members(of words: String, _ members: [CommandDeclaration]) -> String {
    let lines = members.map { "      \(quoted("\($0.word):\($0.summary)"))" }
    return "    (\(quoted(words))) verbs=(\n\(lines.joined(separator: "\n"))\n    ) ;;"
  }

  /// The function that completes the words behind those of a verb.
  private func function(
    _ words: String, members: [CommandDeclaration], options: [OptionDeclaration],
    kinds: [ValueKind]
  ) -> String {
    let name = (["_" + tool.name] + words.split(separator: " ").map(String.init))
      .joined(separator: "_")
    var lines = ["\(name)() {"]
    if words.isEmpty {
      // The command is still quoted as typed.
      lines += [
        "  local program=${(Q)words[1]}",
        "  [[ $program == '~/'* ]] && program=$HOME/${program#'~/'}",
        "  whence -p -- $program >/dev/null || program=\(tool.name)",
      ]
    }
    if !members.isEmpty {
      lines += ["  if (( CURRENT > 2 )); then", "    case $words[2] in"]
      lines += members.map { member in
        "      (\(member.word)) shift words; (( CURRENT-- )); \(name)_\(member.word); return ;;"
      }
      lines += ["    esac", "  fi"]
    }
    lines.append("  _arguments -s -S \\")
    var offered = kinds.map(word)
    if !members.isEmpty { offered.insert(quoted("members:\(words)"), at: 0) }
    let rest = offered.isEmpty ? [] : [quoted("*: :" + offer(offered))]
    lines.append((options.map(specification) + rest).map { "    \($0)" }.joined(separator: " \\\n"))
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  /// The leading space keeps _arguments from adding words of its own.
  private func offer(_ words: [String]) -> String {
    " __\(tool.name)_offer \(words.joined(separator: " "))"
  }

  private func specification(_ option: OptionDeclaration) -> String {
    let help = quoted("[\(escaped(option.help))]\(value(option))")
    let sign = option.placeholder == nil ? "" : "="
    let lead = option.repeats ? "\\*" : ""
    guard let short = option.short else { return "\(lead)--\(option.long)\(sign)\(help)" }
    let attached = option.placeholder == nil ? "" : "+"
    let others = option.repeats ? lead : "'(-\(short) --\(option.long))'"
    return "\(others){-\(short)\(attached),--\(option.long)\(sign)}\(help)"
  }

  private func value(_ option: OptionDeclaration) -> String {
    guard let placeholder = option.placeholder else { return "" }
    if option.kind == .command {
      return ":\(escaped(placeholder)): _command_names -e:*\\;::argument: _normal"
    }
    let action = option.kind == .text ? " " : offer([word(option.kind)])
    return ":\(escaped(placeholder)):\(action)"
  }

  private func word(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let words): quoted("=" + words.joined(separator: " "))
    case .target(let words): quoted("target=" + words.joined(separator: " "))
    default: kind.word
    }
  }

  private func escaped(_ text: String) -> String {
    String(text.flatMap { "\\[]:".contains($0) ? ["\\", $0] : [$0] })
  }

  private func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  private func script(_ name: String, members: String, functions: String) -> String {
    #"""
    #compdef \#(name)
    # zsh completion for \#(name), written by '\#(name) completions zsh'.

    # The verbs behind the words of a verb that gathers them.
    __\#(name)_members() {
      local -a verbs
      case "$*" in
    \#(members)
      esac
      _describe -t verbs verb verbs
    }

    __\#(name)_identifiers() {
      local line identifier name list begun= typed=${(Q)PREFIX}
      local -a match identifiers named
      list=$(_call_program identifiers ${(q)program} apps list --json $* 2>/dev/null)
      for line in ${(f)list}; do
        [[ $line =~ '"identifier":"([^"\\]+)"' ]] || continue
        identifier=$match[1] name=
        [[ $line =~ '"name":"([^"\\]+)"' ]] && name=$match[1]
        [[ $identifier == "$typed"* ]] && begun=yes
        [[ -n $typed && ${(L)name} == "${(L)typed}"* ]] && named+=($identifier)
        identifiers+=(${identifier//:/\\:}${name:+:$name})
      done
      if [[ -z $begun ]] && (( $#named )); then
        # A name stands for its identifier, where no identifier begins so.
        (( $#named > 1 )) && compstate[insert]=menu
        compadd -U -a named
      else
        _describe -t identifiers identifier identifiers
      fi
    }

    # Sets REPLY to the first file on the command line, without the word that is typed.
    __\#(name)_file() {
      local -i position
      for (( position = 2; position <= $#words; position++ )); do
        REPLY=${(Q)words[position]}
        [[ $REPLY == '~/'* ]] && REPLY=$HOME/${REPLY#'~/'}
        [[ $position -ne $CURRENT && $REPLY != -* && -e $REPLY ]] && return
      done
      REPLY=
    }

    # The marks of the first file on the command line.
    __\#(name)_marks() {
      local line expl REPLY MATCH
      local -i MBEGIN MEND
      local -a match
      local -aU marks
      __\#(name)_file
      [[ -n $REPLY ]] && line=$(
        _call_program marks ${(q)program} trace --json --no-recent -- ${(q)REPLY} 2>/dev/null)
      while [[ $line =~ '"carrier":"([^"\\]+)"' ]]; do
        marks+=($match[1])
        line=${line[MEND+1,-1]}
      done
      _wanted marks expl mark compadd -a marks
    }

    # What the first file on the command line can be shared with, or these words.
    __\#(name)_targets() {
      local list line target name expl REPLY
      local -a match targets
      __\#(name)_file
      if [[ -z $REPLY ]]; then
        _wanted targets expl target compadd "$@"
        return
      fi
      list=$(_call_program targets ${(q)program} share --list --json -- ${(q)REPLY} 2>/dev/null)
      for line in ${(f)list}; do
        [[ $line =~ '"target":"([^"\\]+)"' ]] || continue
        target=$match[1] name=
        [[ $line =~ '"name":"([^"\\]+)"' ]] && name=$match[1]
        targets+=(${target//:/\\:}${name:+:$name})
      done
      _describe -t targets target targets
    }

    __\#(name)_hosts() {
      local -a hosts
      hosts=(${(f)"$(_call_program hosts ${(q)program} icon trust list 2>/dev/null)"})
      _wanted hosts expl host compadd -a hosts
    }

    # Offers what fits the kinds given.
    __\#(name)_offer() {
      local kind expl
      local -a alternatives
      for kind; do
        case $kind in
          (members:*)
            (( CURRENT == 2 )) \
              && alternatives+=("verbs:verb: __\#(name)_members ${kind#members:}") ;;
          (verb) alternatives+=(
            "verbs:verb: __\#(name)_members ${(j: :)${(@)words[2,CURRENT-1]:#-*}}") ;;
          (file) alternatives+=('files:file:_files') ;;
          (directory) alternatives+=('directories:directory:_files -/') ;;
          (identifier) alternatives+=('identifiers:identifier: __\#(name)_identifiers') ;;
          (own) alternatives+=('identifiers:identifier: __\#(name)_identifiers --known-from user') ;;
          (mark) alternatives+=('marks:mark: __\#(name)_marks') ;;
          (target=*) alternatives+=(
            "targets:target: __\#(name)_targets ${kind#target=}") ;;
          (host) alternatives+=('hosts:host: __\#(name)_hosts') ;;
          (command) alternatives+=('commands:command:_command_names -e') ;;
          ('='*) alternatives+=("values:value:(${kind#=})") ;;
        esac
      done
      (( $#alternatives )) && _alternative $alternatives
    }

    \#(functions)

    # Loaded by the completion system, or sourced.
    if [[ $funcstack[1] == _\#(name) ]]; then
      _\#(name) "$@"
    else
      compdef _\#(name) \#(name)
    fi

    """#
  }
}
