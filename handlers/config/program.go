package config

import (
	"log/slog"
	"time"

	"example.com/petstore/fixtures"
)

// Program is all settings of the program: those of the service, and its own. Problems are reported
// in the order of the fields.
type Program struct {
	MCP             bool // serve coding agents on standard input and output
	ExitWithStdin   bool
	LogFormat       string // text or json
	Addr            string // host:port
	TLS             bool   // make a certificate in memory
	TLSCert, TLSKey string // files
	Drain           time.Duration
	MaxConnections  int

	Config Config

	World    string         // file
	Fixtures string         // file
	Keep     string         // file
	Fakes    fixtures.Sizes // of the generated data, without Fixtures and World
	LogLevel slog.Level
	Verbose  bool

	// Each of these makes the program do one thing and end.
	WaitReady  string // URL
	Completion string // shell
	Version    bool
	Help       bool
}

// SetDefaults sets the program's own settings that were not given. The defaults of Config are those
// of the service.
func (p *Program) SetDefaults(given func(flag string) bool) {
	for s := range p.All() {
		if _, ofConfig := p.field(s.Value.field()); !ofConfig && !given(s.Name) {
			s.Value.setDefault()
		}
	}
}
