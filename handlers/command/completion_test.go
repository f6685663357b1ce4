package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// completions returns the completions of a shell. The program runs in the shell, with the script of
// --completion in a file and the words of a command line as arguments.
func completions(t *testing.T, shell, program string, words ...string) []string {
	t.Helper()
	programtest.RequireTool(t, shell)
	script := runToEnd(t, []string{"PETSTORE_SEED=x"}, "--completion", shell)
	if script.Code != exitOK || script.Stderr != "" {
		t.Fatalf("--completion %s: %+v", shell, script)
	}
	dir := t.TempDir()
	for _, name := range []string{"script", "shop.yaml", "some world.json"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(script.Stdout), 0o600))
	}
	cmd := exec.CommandContext(t.Context(), shell, append([]string{"-c", program, shell}, words...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", shell, err)
	}
	lines := programtest.Lines(strings.TrimSuffix(string(output), "\n"))
	slices.Sort(lines)
	return lines
}

// asBash completes the last word as bash does.
const asBash = `source ./script
complete -p petstore >/dev/null || exit
COMP_WORDS=(petstore "$@") COMP_CWORD=$#
_petstore
printf '%s\n' "${COMPREPLY[@]}"`

func TestBashCompletes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ words, want []string }{
		{[]string{"--enf"}, []string{"--enforce-sunset"}},
		{[]string{"--strict", "--log-"}, []string{"--log-format", "--log-level"}},
		{[]string{"--log-format", ""}, []string{"json", "text"}},
		{[]string{"--log-format", "="}, []string{"json", "text"}},
		{[]string{"--log-level", "=", "d"}, []string{"debug"}},
		{[]string{"--fixtures", "sho"}, []string{"shop.yaml"}},
		{[]string{"--world", "so"}, []string{"some world.json"}},
		{[]string{"--pets", ""}, nil},
		{[]string{"--completion", "f"}, []string{"fish"}},
	} {
		if diff := cmp.Diff(test.want, completions(t, "bash", asBash, test.words...)); diff != "" {
			t.Errorf("%q:\n%s", test.words, diff)
		}
	}
	var all []string
	new(options).flags().VisitAll(func(f *pflag.Flag) { all = append(all, "--"+f.Name) })
	slices.Sort(all)
	if diff := cmp.Diff(all, completions(t, "bash", asBash, "")); diff != "" {
		t.Errorf("nothing yet:\n%s", diff)
	}
}

func TestFishCompletes(t *testing.T) {
	t.Parallel()
	const asFish = `source ./script; complete -C "$argv[2]"`
	for line, want := range map[string][]string{
		"petstore --enf": {"--enforce-sunset\treturn 410 from the sunset on"},
		"petstore --log-format ": {"json\tformat of the log on standard error: text or json",
			"text\tformat of the log on standard error: text or json"},
		"petstore --fixtures shop": {"shop.yaml"},
	} {
		if diff := cmp.Diff(want, completions(t, "fish", asFish, line)); diff != "" {
			t.Errorf("%q:\n%s", line, diff)
		}
	}
}

// TestZshCompletes sources the script in zsh and checks the offered completions.
func TestZshCompletes(t *testing.T) {
	t.Parallel()
	const asZsh = `autoload -U compinit; compinit -u -D; source ./script
[[ $_comps[petstore] == _petstore ]] || exit 1
_arguments() { print -rl -- "$@" }
_petstore`
	specs := completions(t, "zsh", asZsh)
	for _, want := range []string{
		"--enforce-sunset[return 410 from the sunset on]",
		`--log-format=[format of the log on standard error\: text or json]:format:(text json)`,
		"*--api-key=[key that every request to the service must send; repeatable]:key: ",
		"--tls-key=[PEM file with the certificate's key]:file:_files",
	} {
		if !slices.Contains(specs, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(specs, "\n"))
		}
	}
	all := 0
	new(options).flags().VisitAll(func(*pflag.Flag) { all++ })
	if len(specs) != all {
		t.Errorf("%d flags are completed, want %d", len(specs), all)
	}
}
