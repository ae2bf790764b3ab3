/// Writes the completion script for bash 4.4 or later, with or without the package bash-completion.
struct BashCompletion {
  let tool: ToolDeclaration

  var script: String {
    let verbs =
      [
        declared(
          tool.name, members: tool.commands.map(\.word), options: tool.options, kinds: [])
      ]
      + tool.allCommands.map { verb in
        declared(
          "\(tool.name) \(verb.name)", members: verb.members.map(\.word),
          options: verb.options, kinds: verb.kinds)
      }
    return script(tool.name, declaring: verbs)
  }

  private func declared(
    _ verb: String, members: [String], options: [OptionDeclaration], kinds: [ValueKind]
  ) -> String {
    let words = options.map { option in
      let value = option.placeholder == nil ? "" : word(option.kind)
      return "\(option.long):\(option.short.map(String.init) ?? ""):\(value)"
    }
    return """
          '\(verb)')
            members=(\(members.joined(separator: " ")))
            options=(\(words.joined(separator: " ")))
            repeated=(\(options.filter(\.repeats).map(\.long).joined(separator: " ")))
            operands=(\(kinds.map(word).joined(separator: " "))) ;;
      """
  }

  private func word(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let words): "=" + words.joined(separator: ",")
    case .target(let words): "target=" + words.joined(separator: ",")
    default: kind.word
    }
  }

  private func script(_ name: String, declaring verbs: [String]) -> String {
    #"""
    # bash completion for \#(name), written by '\#(name) completions bash'.

    # What a verb takes, by the words that lead to it: the verbs it gathers; its options as
    # LONG:SHORT: and what the value is, if it takes one; which of them add up; what its operands
    # are. =A,B is one of these words.
    __\#(name)_declared() {
      members=() options=() repeated=() operands=()
      case $1 in
    \#(verbs.joined(separator: "\n"))
      esac
    }

    # Adds those words that begin as the one that is typed.
    __\#(name)_add() {
      local word
      for word; do
        [[ $word == "$current"* ]] && COMPREPLY+=("$prefix$word")
      done
    }

    # Sets file to the first file on the command line, without the word that is typed.
    __\#(name)_file() {
      local position
      for ((position = first; position < ${#COMP_WORDS[@]}; position++)); do
        file=${COMP_WORDS[position]//[\\\'\"]/}
        [[ $file == '~/'* ]] && file=$HOME/${file#'~/'}
        ((position != COMP_CWORD)) && [[ $file && $file != -* && -e $file ]] && return
      done
      file=
    }

    # Offers what fits the kinds given.
    __\#(name)_offer() {
      local kind line file files= path position word carrier name='"name":"([^"\]+)"'
      local -a words named known
      for kind; do
        case $kind in
          file) files=file ;;
          directory) files=${files:-directory} ;;
          identifier | own)
            named=() known=()
            [[ $kind == own ]] && known=(--known-from user)
            # What would have to be quoted is not offered.
            while IFS= read -r line; do
              [[ $line =~ \"identifier\":\"([A-Za-z0-9._-]+)\" ]] || continue
              word=${BASH_REMATCH[1]}
              __\#(name)_add "$word"
              [[ $current && $line =~ $name && ${BASH_REMATCH[1],,} == "${current,,}"* ]] \
                && named+=("$word")
            done < <("$program" apps list --json "${known[@]}" 2>/dev/null </dev/null)
            # A name stands for its identifier, where no identifier begins so. Of several, readline
            # would put what they have in common in place of the name.
            ((${#COMPREPLY[@]} == 0 && ${#named[@]} == 1)) && COMPREPLY=("$prefix${named[0]}") ;;
          mark)
            # The marks of the first file on the command line.
            carrier='"carrier":"([^"\]+)"(.*)' words=() line=
            __\#(name)_file
            [[ $file ]] && IFS= read -r line < <("$program" trace --json --no-recent -- "$file" \
              2>/dev/null </dev/null)
            while [[ $line =~ $carrier ]]; do
              line=${BASH_REMATCH[2]} word=${BASH_REMATCH[1]}
              # Readline would break a name at a colon.
              [[ $word =~ ^[A-Za-z0-9._/-]+$ && " ${words[*]} " != *" $word "* ]] \
                && words+=("$word")
            done
            __\#(name)_add "${words[@]}" ;;
          target=*)
            # What the first file on the command line can be shared with.
            IFS=, read -ra words <<<"${kind#target=}"
            __\#(name)_file
            [[ $file ]] && words=() && while IFS= read -r line; do
              [[ $line =~ \"target\":\"([A-Za-z0-9._-]+)\" ]] && words+=("${BASH_REMATCH[1]}")
            done < <("$program" share --list --json -- "$file" 2>/dev/null </dev/null)
            __\#(name)_add "${words[@]}" ;;
          host)
            while IFS= read -r line; do
              [[ $line =~ ^[A-Za-z0-9._-]+$ ]] && __\#(name)_add "$line"
            done < <("$program" icon trust list 2>/dev/null </dev/null) ;;
          command)
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -P "$prefix" -- "$current") ;;
          verb)
            path=\#(name)
            for ((position = first; position < COMP_CWORD; position++)); do
              [[ ${COMP_WORDS[position]} == -* ]] || path+=" ${COMP_WORDS[position]}"
            done
            __\#(name)_declared "$path"
            __\#(name)_add "${members[@]}" ;;
          =*)
            IFS=, read -ra words <<<"${kind#=}"
            __\#(name)_add "${words[@]}" ;;
        esac
      done
      [[ $files ]] || return
      if ((${#COMPREPLY[@]} == 0)) && [[ ! $prefix ]]; then
        # Readline's own completion quotes names best.
        [[ $files == file ]] && compopt -o default || compopt -o dirnames
      else
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY \
          < <(compgen -A "$files" -P "$prefix" -- "$current")
        compopt -o filenames
      fi
    }

    _\#(name)() {
      local program=$1 current=$2 prefix= path=\#(name)
      local word option rest kind= letters ended= given=' '
      local spent=
      local IFS=$' \t\n'
      local -a members options repeated operands
      local -i position=1 first
      COMPREPLY=()
      # The command is as it was typed.
      [[ $program == '~/'* ]] && program=$HOME/${program#'~/'}
      type -P -- "$program" >/dev/null || program=\#(name)
      __\#(name)_declared "$path"
      while ((position < COMP_CWORD)); do
        word=${COMP_WORDS[position]}
        [[ $word && " ${members[*]} " == *" $word "* ]] || break
        path+=" $word"
        __\#(name)_declared "$path"
        ((position += 1))
      done
      first=position

      for (( ; position < COMP_CWORD; position++)); do
        word=${COMP_WORDS[position]}
        if [[ $kind == command ]]; then
          # Its arguments follow, up to a semicolon.
          case $word in
            '=') ;;
            '\;' | "';'" | '";"') kind= spent= ;;
            *) spent=yes ;;
          esac
          continue
        elif [[ $kind ]]; then
          # Readline breaks words at =; the value is the next.
          [[ $word == '=' ]] || kind=
          continue
        fi
        case $word in
          --) ended=yes; break ;;
          --*)
            for option in "${options[@]}"; do
              [[ ${word%%=*} == "--${option%%:*}" ]] || continue
              given+="${option%%:*} "
              [[ $word == *=* ]] || kind=${option##*:}
            done ;;
          -?*)
            for ((letters = 1; letters < ${#word}; letters++)); do
              for option in "${options[@]}"; do
                rest=${option#*:}
                [[ ${rest%%:*} == "${word:letters:1}" ]] || continue
                given+="${option%%:*} "
                if [[ ${option##*:} ]]; then
                  if ((letters + 1 == ${#word})); then
                    kind=${option##*:}
                  elif [[ ${option##*:} == command ]]; then
                    kind=command spent=yes
                  fi
                  letters=${#word}
                fi
                break
              done
            done ;;
        esac
      done

      if [[ $spent ]]; then
        compopt -o default
      elif [[ $kind ]]; then
        __\#(name)_offer "$kind"
      elif [[ ! $ended && $current == --*=* ]]; then
        # Where COMP_WORDBREAKS has no =.
        for option in "${options[@]}"; do
          [[ ${current%%=*} == "--${option%%:*}" ]] && kind=${option##*:}
        done
        prefix=${current%%=*}= current=${current#*=}
        [[ $kind ]] && __\#(name)_offer "$kind"
      elif [[ ! $ended && $current == -* ]]; then
        for option in "${options[@]}"; do
          word=" ${option%%:*} "
          [[ $given == *$word* && " ${repeated[*]} " != *$word* ]] && continue
          rest=${option#*:}
          if [[ $current == "-${rest%%:*}" && $current != - ]]; then
            COMPREPLY=("$current")
            return
          fi
          [[ ${option##*:} ]] && rest== || rest=
          __\#(name)_add "--${option%%:*}$rest"
        done
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
      else
        ((first == COMP_CWORD)) && __\#(name)_add "${members[@]}"
        __\#(name)_offer "${operands[@]}"
      fi
      return 0
    }

    complete -F _\#(name) \#(name)

    """#
  }
}
