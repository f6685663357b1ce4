package config

import (
	"log/slog"
	"time"

	"example.com/petstore/fixtures"
)

// Program contains all settings of the program: its own settings, and the settings of the service
// in Config.
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

	World    string         // path
	Fixtures string         // path
	Keep     string         // path
	Fakes    fixtures.Sizes // sizes of the generated data; not used with Fixtures or World
	LogLevel slog.Level
	Verbose  bool

	// If one of these fields is set, the program performs only the action of its flag, and exits.
	WaitReady  string // URL
	Completion string // name of a shell
	Version    bool
	Help       bool
}

// SetDefaults sets the program's own settings to their defaults, except those whose flag was given.
// It does not change Config, because [Config.Complete] sets the defaults of Config.
func (p *Program) SetDefaults(given func(flag string) bool) {
	for _, s := range p.All() {
		if _, ofConfig := p.field(s.Value.field()); !ofConfig && !given(s.Name) {
			s.Value.setDefault()
		}
	}
}
