package config

import (
	"log/slog"
	"time"

	"example.com/petstore/fixtures"
)

// Program holds all settings of the program: its own, and those of the service in Config. Problems
// are reported in the order of the fields.
type Program struct {
	MCP             bool // serve coding agents on standard input and output
	ExitWithStdin   bool
	LogFormat       string // text or json
	Addr            string // host:port
	TLS             bool   // generate a certificate in memory
	TLSCert, TLSKey string // paths
	Drain           time.Duration
	MaxConnections  int

	Config Config

	World    string         // file
	Fixtures string         // file
	Keep     string         // file
	Fakes    fixtures.Sizes // sizes of the generated data; not used with Fixtures or World
	LogLevel slog.Level
	Verbose  bool

	// With one of these, the program does only that and exits.
	WaitReady  string // URL
	Completion string // shell
	Version    bool
	Help       bool
}

// SetDefaults sets the program's own settings to their defaults unless given returns true for the
// flag. It leaves Config alone; [Config.Complete] sets the defaults there.
func (p *Program) SetDefaults(given func(flag string) bool) {
	for s := range p.All() {
		if _, ofConfig := p.field(s.Value.field()); !ofConfig && !given(s.Name) {
			s.Value.setDefault()
		}
	}
}
