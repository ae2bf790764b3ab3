#compdef docsource
# zsh completion for docsource, written by 'docsource completions zsh'.

# The verbs after the words of a verb that gathers them.
__docsource_members() {
  local -a verbs
  case "$*" in
# @members@
  esac
  _describe -t verbs verb verbs
}

__docsource_identifiers() {
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
__docsource_file() {
  local -i position
  for (( position = 2; position <= $#words; position++ )); do
    REPLY=${(Q)words[position]}
    [[ $REPLY == '~/'* ]] && REPLY=$HOME/${REPLY#'~/'}
    [[ $position -ne $CURRENT && $REPLY != -* && -e $REPLY ]] && return
  done
  REPLY=
}

# The marks of the first file on the command line.
__docsource_marks() {
  local line expl REPLY MATCH
  local -i MBEGIN MEND
  local -a match
  local -aU marks
  __docsource_file
  [[ -n $REPLY ]] && line=$(
    _call_program marks ${(q)program} trace --json --no-recent -- ${(q)REPLY} 2>/dev/null)
  while [[ $line =~ '"carrier":"([^"\\]+)"' ]]; do
    marks+=($match[1])
    line=${line[MEND+1,-1]}
  done
  _wanted marks expl mark compadd -a marks
}

# What the first file on the command line can be shared with, or these words.
__docsource_targets() {
  local list line target name expl REPLY
  local -a match targets
  __docsource_file
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

__docsource_hosts() {
  local -a hosts
  hosts=(${(f)"$(_call_program hosts ${(q)program} icon trust list 2>/dev/null)"})
  _wanted hosts expl host compadd -a hosts
}

# Offers what fits the kinds given.
__docsource_offer() {
  local kind expl
  local -a alternatives
  for kind; do
    case $kind in
      (members:*)
        (( CURRENT == 2 )) \
          && alternatives+=("verbs:verb: __docsource_members ${kind#members:}") ;;
      (verb) alternatives+=(
        "verbs:verb: __docsource_members ${(j: :)${(@)words[2,CURRENT-1]:#-*}}") ;;
      (file) alternatives+=('files:file:_files') ;;
      (directory) alternatives+=('directories:directory:_files -/') ;;
      (identifier) alternatives+=('identifiers:identifier: __docsource_identifiers') ;;
      (own) alternatives+=('identifiers:identifier: __docsource_identifiers --known-from user') ;;
      (mark) alternatives+=('marks:mark: __docsource_marks') ;;
      (target=*) alternatives+=(
        "targets:target: __docsource_targets ${kind#target=}") ;;
      (host) alternatives+=('hosts:host: __docsource_hosts') ;;
      (command) alternatives+=('commands:command:_command_names -e') ;;
      ('='*) alternatives+=("values:value:(${kind#=})") ;;
    esac
  done
  (( $#alternatives )) && _alternative $alternatives
}

# @functions@

# Loaded by the completion system, or sourced.
if [[ $funcstack[1] == _docsource ]]; then
  _docsource "$@"
else
  compdef _docsource docsource
fi
