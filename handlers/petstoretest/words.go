package petstoretest

import (
	"strings"

	"example.com/petstore/handlers/rest"
)

// goWords replaces terms of the command line and of HTTP in messages by those of this package.
var goWords = strings.NewReplacer(
	"start the server with --webhook-host", "add to Config.WebhookHosts",
	"--fixtures", "WithFixtures",
	"start the server with --max-memory", "set Config.MaxMemory to",
	"start the server with a larger --max-records", "set a larger Config.MaxRecords",
	"start the server with a larger --max-sandboxes", "set a larger Config.MaxSandboxes",
	"start the server with a larger --sandbox-memory", "set a larger Config.SandboxMemory",
	"--max-sandboxes", "Config.MaxSandboxes",
	"--world", "FromWorld",
	"GET /admin/operations", "Sandbox.Operations",
	"PUT /admin/state", "Sandbox.Import",
	"PUT /admin/world", "Sandbox.ImportWorld",
	"export the world with ?data=true", "use Sandbox.ExportWorldWithData",
)

// goMessage returns an error's message, and advice, in terms of this package.
func goMessage(err error) string { return goWords.Replace(err.Error() + rest.Advice(err)) }

// startError is an error of [Start] in terms of this package.
type startError struct{ err error }

func (e *startError) Error() string { return goMessage(e.err) }
func (e *startError) Unwrap() error { return e.err }
