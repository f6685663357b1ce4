package command

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.com/petstore/handlers/command/programtest"
)

func TestBadUsage(t *testing.T) {
	t.Parallel()
	none := filepath.Join(t.TempDir(), "none")
	notPEM := fileOf(t, "not PEM")
	badFixtures := fileOf(t, `categories: [{id: 1, name: Dogs}]
pets: [{id: 1, name: '', categoryId: 99}, {id: 2, name: Rex, categoryId: 1, status: lost}]
orders: [{id: 1, petId: 2, quantity: 0}]
`)
	badWorld := fileOf(t, `{"format": 1, "baseline": {}, "state": {"removed": {"pets": [1]}}}`)
	largeWorld := fileOf(t, `{"format": 1, "baseline": {}, "state": {"orders": [{"id": 1}, {"id": 2}]}}`)
	for _, test := range []struct {
		args    []string
		environ []string
		want    []string // substrings of standard error
	}{
		{args: []string{"--seeds", "1"}, want: []string{"--seeds; did you mean --seed? --help lists"}},
		{args: []string{"--colour", "red"}, want: []string{"--colour; --help lists"}},
		{args: []string{"--port", "3000"}, want: []string{"--port; did you mean --addr 127.0.0.1:3000?"}},
		{args: []string{"--seed", "2", "--port=3000"}, want: []string{"did you mean --addr 127.0.0.1:3000?"}},
		{args: []string{"-p", "3000"}, want: []string{"did you mean --addr 127.0.0.1:3000?"}},
		{args: []string{"-addr", ":3000"}, want: []string{"did you mean --addr?"}},
		{args: []string{"--sharded"}, want: []string{"--replica must name this replica"}},
		{args: []string{"--seed", "2", "db.json"},
			want: []string{`"db.json"; to serve the data of a file, give --fixtures db.json`}},
		{args: []string{"--seed"}, want: []string{"--seed", "--help"}},
		{args: []string{"--categories", "0"}, want: []string{"--categories cannot be 0", "100"}},
		{args: []string{"--pets", "0"}, want: []string{"--pets cannot be 0", "50"}},
		{args: []string{"--completion", "csh"}, want: []string{`--completion must be bash, zsh or fish, not "csh"`}},
		{args: []string{"serve"}, want: []string{`"serve"`, "--help"}},
		{args: []string{"--sunset", "2025-12-31"}, want: []string{"--sunset 2025-12-31", "2026-01-01", "earlier"}},
		{args: []string{"--max-sandboxes", "0"},
			want: []string{"--max-sandboxes must be at least 1 (the default sandbox), not 0"}},
		{args: []string{"--sandbox-ttl", "0s"}, want: []string{"--sandbox-ttl must be more than 0, not 0s"}},
		{args: []string{"--max-connections", "0"}, want: []string{"--max-connections", "at least 1"}},
		{args: []string{"--public-url", "shop.example"},
			want: []string{"--public-url must be an address such as https://", `"shop.example"`}},
		{args: []string{"--public-url", "https://shop.example/admin"},
			want: []string{"--public-url cannot have a path that begins with /admin"}},
		{args: []string{"--public-url", ""}, want: []string{"--public-url is empty"}},
		{args: []string{"--keep", ""}, want: []string{"--keep is empty"}},
		{args: []string{"--world="}, want: []string{"--world is empty"}},
		{args: []string{"--drain", "-1s"}, want: []string{"--drain must be from 0s to 1h, not -1s"}},
		{args: []string{"--drain", "61m"}, want: []string{"--drain must be from 0s to 1h, not 1h1m0s"}},
		{args: []string{"--replica", ""}, want: []string{"--replica", "header"}},
		{args: []string{"--exit-with-stdin"}, want: []string{"--exit-with-stdin", "a pipe or a socket"}},
		{args: []string{"--mcp", "--addr", "8080"}, want: []string{"--addr must be host:port"}},
		{args: []string{"--mcp", "--exit-with-stdin"}, want: []string{"--mcp ends when standard input does"}},
		{args: []string{"--log-format", "json", "--journal", "-1"},
			want: []string{`"msg":"--journal cannot be negative`, `"level":"ERROR"`}},
		{args: []string{"--admin-key", ""},
			want: []string{"--admin-key is empty, which would leave the control plane open; give it a value or leave " +
				"it out"}},
		{args: []string{"--webhook-host", "hooks.example:80"},
			want: []string{"--webhook-host", `"hooks.example:80"`, "without a port"}},
		{args: []string{"--max-records", "-1", "--journal", "-1"},
			want: []string{"--max-records must be at least 1, not -1\n--journal cannot be negative; 0 turns it off\n"}},
		{args: []string{"--log-format", "xml"}, want: []string{"--log-format", `"xml"`}},
		{args: []string{"--addr", "8080"}, want: []string{"--addr", `"8080"`, "127.0.0.1:8080"}},
		{args: []string{"--tls-cert", notPEM}, want: []string{"--tls-cert", "--tls-key", "both"}},
		{args: []string{"--tls", "--tls-cert", notPEM, "--tls-key", notPEM},
			want: []string{"--tls makes", "--tls-cert"}},
		{args: []string{"--tls-cert", notPEM, "--tls-key", notPEM}, want: []string{"--tls-cert", notPEM, "PEM"}},
		{args: []string{"--tls-cert", none, "--tls-key", notPEM}, want: []string{none}},
		{args: []string{"--cors-origin", "shop.example"},
			want: []string{"--cors-origin", `"shop.example"`, "scheme://host"}},
		{args: []string{"--api-key", "two words"}, want: []string{"--api-key", "spaces"}},
		{args: []string{"--fixtures", badFixtures},
			want: []string{"petstore: --fixtures " + badFixtures + ` cannot be used:
pets[0].name: must be 1 to 255 characters long, not 0
pets[0].categoryId: there is no category with id 99; add it, or change the id
pets[1].status: must be available, pending or sold, not "lost"
orders[0].quantity: must be at least 1, not 0
`}},
		{args: []string{"--fixtures", none}, want: []string{"--fixtures", none}},
		{args: []string{"--fixtures", "x", "--seed", "2"}, want: []string{"--seed", "--fixtures"}},
		{args: []string{"--fixtures", "x"}, environ: []string{"PETSTORE_PETS=2"},
			want: []string{"PETSTORE_PETS", "--fixtures"}},
		{args: []string{"--world", badWorld, "--addr", "127.0.0.1:0"},
			want: []string{"petstore: --world " + badWorld + " cannot be used:\nstate.removed.pets[0]: there is no pet with id 1\n"}},
		{args: []string{"--world", fileOf(t, `{"format": 2}`), "--addr", "127.0.0.1:0"},
			want: []string{"format: is 2, but this version of the program reads 1"}},
		{args: []string{"--world", largeWorld, "--max-records", "1", "--addr", "127.0.0.1:0"}, want: []string{"the state has 2 records"}},
		{args: []string{"--world", badWorld, "--fixtures", "x", "--error-rate", "0.1", "--sunset", "2031-01-01"},
			want: []string{"--fixtures is part of a world", "--error-rate is part of a world",
				"--sunset is part of a world"}},
		{environ: []string{"PETSTORE_PETS=-5"}, want: []string{"PETSTORE_PETS cannot be negative, but is -5"}},
		{environ: []string{"PETSTORE_WORLD=/none.json"}, want: []string{"PETSTORE_WORLD: open /none.json"}},
		{environ: []string{"PETSTORE_SEED=x", "PETSTORE_ADDR=127.0.0.1:0", "PETSTORE_STRICT=perhaps"},
			want: []string{"PETSTORE_SEED", `"x"`, "PETSTORE_STRICT", `"perhaps"`}},
	} {
		t.Run(strings.Join(append(test.environ, test.args...), " "), func(t *testing.T) {
			t.Parallel()
			got := runToEnd(t, test.environ, test.args...)
			if got.Code != exitUsage || got.Stdout != "" {
				t.Errorf("exit code %d, standard output %q, want %d and nothing", got.Code, got.Stdout, exitUsage)
			}
			for _, want := range test.want {
				if !strings.Contains(got.Stderr, want) {
					t.Errorf("standard error is %q, want %q in it", got.Stderr, want)
				}
			}
		})
	}
}

// TestHelpListsEveryFlag checks that --help lists each flag once. Invalid variables and values do
// not prevent it.
func TestHelpListsEveryFlag(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--help", "-h"} {
		got := runToEnd(t, []string{"PETSTORE_SEED=x"}, flag, "--addr", "8080")
		if got.Code != exitOK || got.Stderr != "" {
			t.Errorf("%s: exit code %d, standard error %q, want 0 and nothing", flag, got.Code, got.Stderr)
		}
		new(options).flags().VisitAll(func(f *pflag.Flag) {
			if n := len(regexp.MustCompile(`(?m)^ +(?:-\w, )?--`+f.Name+` .*\S`).
				FindAllString(got.Stdout, -1)); n != 1 {
				t.Errorf("%s has %d lines for --%s, want 1", flag, n, f.Name)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := programtest.RunToEnd(t, "--version", "--addr", "8080")
	if got.Code != exitOK || got.Stderr != "" || !regexp.MustCompile(`^petstore \S+\n$`).MatchString(got.Stdout) {
		t.Errorf("exit code %d, standard error %q, standard output %q, want 0, nothing and a line with the version",
			got.Code, got.Stderr, got.Stdout)
	}
	health := programtest.GetJSON[struct{ Version string }](t, programtest.StartPetstore(t).URL+"/healthz")
	if want := strings.TrimSpace(strings.TrimPrefix(got.Stdout, "petstore ")); health.Version != want {
		t.Errorf("the health says version %q, --version %q", health.Version, want)
	}
}
