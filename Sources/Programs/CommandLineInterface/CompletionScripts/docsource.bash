# bash completion for docsource, written by 'docsource completions bash'.

# What a verb takes, by the words that lead to it: the verbs it gathers; its options as
# LONG:SHORT: and what the value is, if it takes one; which of them add up; what its operands
# are. =A,B is one of these words.
__docsource_declared() {
  members=() options=() repeated=() operands=()
  case $1 in
# @verbs@
  esac
}

# Adds those words that begin as the one that is typed.
__docsource_add() {
  local word
  for word; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$prefix$word")
  done
}

# Sets file to the first file on the command line, without the word that is typed.
__docsource_file() {
  local position
  for ((position = first; position < ${#COMP_WORDS[@]}; position++)); do
    file=${COMP_WORDS[position]//[\\\'\"]/}
    [[ $file == '~/'* ]] && file=$HOME/${file#'~/'}
    ((position != COMP_CWORD)) && [[ $file && $file != -* && -e $file ]] && return
  done
  file=
}

# Offers what fits the kinds given.
__docsource_offer() {
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
          __docsource_add "$word"
          [[ $current && $line =~ $name && ${BASH_REMATCH[1],,} == "${current,,}"* ]] \
            && named+=("$word")
        done < <("$program" apps list --json "${known[@]}" 2>/dev/null </dev/null)
        # A name stands for its identifier, where no identifier begins so. Of several, readline
        # would put what they have in common in place of the name.
        ((${#COMPREPLY[@]} == 0 && ${#named[@]} == 1)) && COMPREPLY=("$prefix${named[0]}") ;;
      mark)
        # The marks of the first file on the command line.
        carrier='"carrier":"([^"\]+)"(.*)' words=() line=
        __docsource_file
        [[ $file ]] && IFS= read -r line < <("$program" trace --json --no-recent -- "$file" \
          2>/dev/null </dev/null)
        while [[ $line =~ $carrier ]]; do
          line=${BASH_REMATCH[2]} word=${BASH_REMATCH[1]}
          # Readline would break a name at a colon.
          [[ $word =~ ^[A-Za-z0-9._/-]+$ && " ${words[*]} " != *" $word "* ]] \
            && words+=("$word")
        done
        __docsource_add "${words[@]}" ;;
      target=*)
        # What the first file on the command line can be shared with.
        IFS=, read -ra words <<<"${kind#target=}"
        __docsource_file
        [[ $file ]] && words=() && while IFS= read -r line; do
          [[ $line =~ \"target\":\"([A-Za-z0-9._-]+)\" ]] && words+=("${BASH_REMATCH[1]}")
        done < <("$program" share --list --json -- "$file" 2>/dev/null </dev/null)
        __docsource_add "${words[@]}" ;;
      host)
        while IFS= read -r line; do
          [[ $line =~ ^[A-Za-z0-9._-]+$ ]] && __docsource_add "$line"
        done < <("$program" icon trust list 2>/dev/null </dev/null) ;;
      command)
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -P "$prefix" -- "$current") ;;
      verb)
        path=docsource
        for ((position = first; position < COMP_CWORD; position++)); do
          [[ ${COMP_WORDS[position]} == -* ]] || path+=" ${COMP_WORDS[position]}"
        done
        __docsource_declared "$path"
        __docsource_add "${members[@]}" ;;
      =*)
        IFS=, read -ra words <<<"${kind#=}"
        __docsource_add "${words[@]}" ;;
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

_docsource() {
  local program=$1 current=$2 prefix= path=docsource
  local word option rest kind= letters ended= given=' '
  local spent=
  local IFS=$' \t\n'
  local -a members options repeated operands
  local -i position=1 first
  COMPREPLY=()
  # The command is as it was typed.
  [[ $program == '~/'* ]] && program=$HOME/${program#'~/'}
  type -P -- "$program" >/dev/null || program=docsource
  __docsource_declared "$path"
  while ((position < COMP_CWORD)); do
    word=${COMP_WORDS[position]}
    [[ $word && " ${members[*]} " == *" $word "* ]] || break
    path+=" $word"
    __docsource_declared "$path"
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
    __docsource_offer "$kind"
  elif [[ ! $ended && $current == --*=* ]]; then
    # Where COMP_WORDBREAKS has no =.
    for option in "${options[@]}"; do
      [[ ${current%%=*} == "--${option%%:*}" ]] && kind=${option##*:}
    done
    prefix=${current%%=*}= current=${current#*=}
    [[ $kind ]] && __docsource_offer "$kind"
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
      __docsource_add "--${option%%:*}$rest"
    done
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    ((first == COMP_CWORD)) && __docsource_add "${members[@]}"
    __docsource_offer "${operands[@]}"
  fi
  return 0
}

complete -F _docsource docsource
