package command

import (
	"fmt"
	"strings"
)

// completable is a flag that a shell completes.
type completable struct {
	name, short string
	word        string // the name of its value, or "" if it takes none
	what        string
	values      []string // all possible values, if they are few
	repeatable  bool
}

// isFile reports whether the flag's value is a file name.
func (c completable) isFile() bool { return c.word == "file" }

// completionScript returns a script that makes the shell of --completion complete the flags.
func (o *options) completionScript() (string, error) {
	shell := o.Completion
	script := map[string]func([]completable) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[shell]
	if script == nil {
		return "", usagef("--completion must be bash, zsh or fish, not %q", shell)
	}
	var all []completable
	for s := range o.All() {
		word, what := s.Usage()
		all = append(all, completable{s.Name, s.Short, word, what, s.Choices, s.Value.Repeatable()})
	}
	return "# Completion of petstore's flags, made by petstore --completion " + shell + ".\n" + script(all), nil
}

// bashCompletion also works in the bash 3.2 of macOS.
func bashCompletion(flags []completable) string {
	var all, files, others []string
	var cases strings.Builder
	for _, f := range flags {
		flag := "--" + f.name
		all = append(all, flag)
		switch {
		case f.isFile():
			files = append(files, flag)
		case f.values != nil:
			fmt.Fprintf(&cases, "\t%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")) ;;\n", flag, strings.Join(f.values, " "))
		case f.word != "":
			others = append(others, flag)
		}
	}
	return `_petstore() {
	local word=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD - 1]}
	COMPREPLY=()
	case $flag in # of --flag=value each part is a word
	=) flag=${COMP_WORDS[COMP_CWORD - 2]} ;;
	esac
	[[ $word != = ]] || word=
	case $flag in
	` + strings.Join(files, "|") + `)
		local IFS=$'\n'
		COMPREPLY=($(compgen -f -- "$word"))
		;;
` + cases.String() + "\t" + strings.Join(others, "|") + `) ;;
	*) COMPREPLY=($(compgen -W '` + strings.Join(all, " ") + `' -- "$word")) ;;
	esac
}
complete -o filenames -F _petstore petstore
`
}

// zshCompletion works both as a file in fpath and when sourced.
func zshCompletion(flags []completable) string {
	escape := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `:`, `\:`, `'`, `'\''`)
	var b strings.Builder
	b.WriteString("#compdef petstore\n_petstore() {\n\t_arguments")
	for _, f := range flags {
		spec := "--" + f.name + "[" + escape.Replace(f.what) + "]"
		switch {
		case f.isFile():
			spec += ":" + f.word + ":_files"
		case f.values != nil:
			spec += ":" + f.word + ":(" + strings.Join(f.values, " ") + ")"
		case f.word != "":
			spec += ":" + f.word + ": "
		}
		if f.word != "" {
			spec = strings.Replace(spec, "[", "=[", 1)
		}
		if f.repeatable {
			spec = "*" + spec
		}
		fmt.Fprintf(&b, " \\\n\t\t'%s'", spec)
	}
	b.WriteString("\n}\nif [[ $funcstack[1] == _petstore ]]; then\n\t_petstore \"$@\"\nelse\n\tcompdef _petstore petstore\nfi\n")
	return b.String()
}

func fishCompletion(flags []completable) string {
	escape := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	var b strings.Builder
	b.WriteString("complete -c petstore -f\n")
	for _, f := range flags {
		b.WriteString("complete -c petstore -l " + f.name)
		if f.short != "" {
			b.WriteString(" -s " + f.short)
		}
		switch {
		case f.isFile():
			b.WriteString(" -r -F")
		case f.values != nil:
			b.WriteString(" -x -a '" + strings.Join(f.values, " ") + "'")
		case f.word != "":
			b.WriteString(" -x")
		}
		b.WriteString(" -d '" + escape.Replace(f.what) + "'\n")
	}
	return b.String()
}
