package command

import (
	"fmt"
	"strings"

	"example.com/petstore/handlers/config"
)

// completionScript returns a script that completes the flags in the shell named by --completion.
func (o *options) completionScript() (string, error) {
	shell := o.Completion
	script := map[string]func([]config.Setting) string{"bash": bashCompletion, "zsh": zshCompletion,
		"fish": fishCompletion}[shell]
	if script == nil {
		return "", usagef("--completion must be bash, zsh or fish, not %q", shell)
	}
	return "# Completion of petstore's flags, made by petstore --completion " + shell + ".\n" + script(o.All()), nil
}

// bashCompletion returns a script for bash. The script also works in version 3.2, which macOS
// includes.
func bashCompletion(settings []config.Setting) string {
	var all, files, others []string
	var cases strings.Builder
	for _, s := range settings {
		word, _ := s.Usage()
		flag := "--" + s.Name
		all = append(all, flag)
		switch {
		case word == "file":
			files = append(files, flag)
		case s.Choices != nil:
			fmt.Fprintf(&cases, "\t%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")) ;;\n", flag,
				strings.Join(s.Choices, " "))
		case word != "":
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

// zshCompletion returns a script for zsh. It works as a file in fpath and when it is sourced.
func zshCompletion(settings []config.Setting) string {
	escape := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `:`, `\:`, `'`, `'\''`)
	var b strings.Builder
	b.WriteString("#compdef petstore\n_petstore() {\n\t_arguments")
	for _, s := range settings {
		word, what := s.Usage()
		spec := "--" + s.Name + "[" + escape.Replace(what) + "]"
		switch {
		case word == "file":
			spec += ":" + word + ":_files"
		case s.Choices != nil:
			spec += ":" + word + ":(" + strings.Join(s.Choices, " ") + ")"
		case word != "":
			spec += ":" + word + ": "
		}
		if word != "" {
			spec = strings.Replace(spec, "[", "=[", 1)
		}
		if s.Repeatable() {
			spec = "*" + spec
		}
		fmt.Fprintf(&b, " \\\n\t\t'%s'", spec)
	}
	b.WriteString(
		"\n}\nif [[ $funcstack[1] == _petstore ]]; then\n\t_petstore \"$@\"\nelse\n\tcompdef _petstore petstore\nfi\n")
	return b.String()
}

// fishCompletion returns a script for fish.
func fishCompletion(settings []config.Setting) string {
	escape := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	var b strings.Builder
	b.WriteString("complete -c petstore -f\n")
	for _, s := range settings {
		word, what := s.Usage()
		b.WriteString("complete -c petstore -l " + s.Name)
		if s.Short != "" {
			b.WriteString(" -s " + s.Short)
		}
		switch {
		case word == "file":
			b.WriteString(" -r -F")
		case s.Choices != nil:
			b.WriteString(" -x -a '" + strings.Join(s.Choices, " ") + "'")
		case word != "":
			b.WriteString(" -x")
		}
		b.WriteString(" -d '" + escape.Replace(what) + "'\n")
	}
	return b.String()
}
