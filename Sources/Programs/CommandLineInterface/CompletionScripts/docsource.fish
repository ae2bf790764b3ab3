# fish completion for docsource, written by 'docsource completions fish'.

# The words that name the verb.
function __docsource_verb
    set -l words (commandline -opc)
    set -e words[1]
    set -l verb
    for word in $words
        set -l longer (string join -- ' ' $verb $word)
        contains -- $longer @verbs@; or break
        set verb $longer
    end
    echo "$verb"
end

# Whether the command line is at this verb.
function __docsource_at
    set -l verb (__docsource_verb)
    test "$verb" = "$argv"
end

# Whether nothing but these words is there so far.
function __docsource_after
    set -l words (commandline -opc)
    set -e words[1]
    test "$words" = "$argv"
end

# The same, whatever options are among them.
function __docsource_shows
    set -l words (commandline -opc)
    set -e words[1]
    set -l plain (string match -v -- '-*' $words)
    test "$plain" = "$argv"
end

# Whether the command line is at a verb, and an option is not given yet, or its value is what is being typed.
function __docsource_lacks -a verb long short letters value
    __docsource_at $verb; or return
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
function __docsource_runs
    for word in (commandline -opc)
        contains -- $word $argv; and return 0
    end
    return 1
end

# The command, which is as it was typed.
function __docsource_program
    set -l words (commandline -opc)
    set -l program $words[1]
    if string match -q -- '~/*' $program
        set program $HOME/(string sub -s 3 -- $program)
    end
    command -q -- $program; or set program docsource
    echo $program
end

# fish itself takes any part of an identifier, in either case.
function __docsource_identifiers
    set -l program (__docsource_program)
    $program apps list --json $argv 2>/dev/null | string replace -rf -- \
        '^.*"identifier":"([^"\\\\]+)"(?:.*"name":"([^"\\\\]+)")?.*$' '$1\t$2'
end

# The first file on the command line.
function __docsource_file
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
function __docsource_marks
    set -l program (__docsource_program)
    set -l file (__docsource_file); or return
    $program trace --json --no-recent -- $file 2>/dev/null |
        string match -rag -- '"carrier":"([^"\\\\]+)"'
end

# What the first file on the command line can be shared with, or these words.
function __docsource_targets
    set -l program (__docsource_program)
    if set -l file (__docsource_file)
        $program share --list --json -- $file 2>/dev/null | string replace -rf -- \
            '^.*"target":"([^"\\\\]+)"(?:.*"name":"([^"\\\\]+)")?.*$' '$1\t$2'
    else
        printf '%s\n' $argv
    end
end

function __docsource_hosts
    set -l program (__docsource_program)
    $program icon trust list 2>/dev/null
end

complete -c docsource -f
# @completions@
