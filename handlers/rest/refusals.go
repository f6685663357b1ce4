package rest

import (
	"errors"
	"fmt"
	"strings"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Surface is the API through which a caller gets an error. It determines the wording of the advice.
type Surface int

// OnWire is the surface for HTTP and the command line. InGo is the surface for Go callers.
const (
	OnWire Surface = iota
	InGo
)

// refusal holds the status and the advice for a code.
type refusal struct {
	code   field.Code
	status int // 0 if no response has the code, because it occurs only in the problems of an input

	// advice follows the message, and wireAdvice or goAdvice follows advice. Together, they are a
	// format string for the problem's Args.
	advice, wireAdvice, goAdvice string
}

const startLarger, setLarger = "start the server with a larger --", "set a larger Config."

// refusals lists every code, except those that only fault rules and Prefer headers cause. Among
// codes with the same status, the most general code comes first. A response contains only the part
// of its code before the dot.
var refusals = []refusal{
	{"validation_failed", 400, "", "", ""},
	{"invalid_json", 400, "", "", ""},
	{"invalid_parameter", 400, "", "", ""},
	{"unauthorized", 401, "", "", ""},
	{"forbidden", 403, "", "", ""},
	{store.NotFound, 404, "", "", ""},
	{"unknown_sandbox", 404, "", "", ""},
	{"not_found.operation", 404, "; ", "GET /admin/operations lists them", "Operations lists them"},
	{"not_found.entry", 404, "; ", "GET /admin/requests lists those that are kept",
		"Requests returns those that are kept"},
	{"not_found.workshop", 404, "; ", "start it with --workshop", "set Config.Workshop"},
	{"method_not_allowed", 405, "", "", ""},
	{"conflict", 409, "", "", ""},
	{store.CategoryInUse, 409, "; GET /pets?categoryId=%d lists them", "", ""},
	{"operation_sunset", 410, "", "", ""},
	{"history_gone", 410, "; a snapshot keeps data for longer, and undo reaches the writes that ", "undoable in GET /admin counts", "Undoable counts"},
	{"precondition_failed", 412, "", "", ""},
	{"payload_too_large", 413, "", "", ""},
	{"unsupported_media_type", 415, "", "", ""},
	{store.UnknownCategory, 422, "; see GET /categories", "", ""},
	{store.UnknownPet, 422, "; see GET /pets", "", ""},
	{"idempotency_key_reused", 422, "", "", ""},
	{"rate_limited", 429, "", "", ""},
	{"too_many_header_lines", 431, "", "", ""},
	{"internal_error", 500, "", "", ""},
	{"unavailable", 503, "", "", ""},
	{"sandbox_limit_reached", 503, "; drop one, wait until idle ones are dropped, or ",
		startLarger + "max-sandboxes", setLarger + "MaxSandboxes"},
	{"server_full", 503, "; %sdelete records, reset or drop sandboxes, or ",
		"start the server with --max-memory %dMiB or more", "set Config.MaxMemory to %dMiB or more"},
	{"sandbox_full", 507, "", "", ""},
	{store.NoID, 507, "", "", ""},
	{store.Full, 507, "; delete some, reset it, or ", startLarger + "max-records", setLarger + "MaxRecords"},
	{store.TooLarge, 507, "; leave some out, or ", startLarger + "max-records", setLarger + "MaxRecords"},
	{store.FullBytes, 507, "; delete records or snapshots, reset it, or ",
		startLarger + "sandbox-memory", setLarger + "SandboxMemory"},

	{"webhook_host", 0, "; ", "start the server with --webhook-host %s", "add to Config.WebhookHosts %s"},
	{"journal_size", 0, "; ", startLarger + "journal", setLarger + "Journal"},
	{"workshop_limit", 0, ", as many as ", "--max-sandboxes leaves, not %d", "Config.MaxSandboxes leaves, not %d"},
	{"is_world", 0, "; start with it by ",
		"--world, or import it by PUT /admin/world", "FromWorld, or import it by Sandbox.ImportWorld"},
	{"no_world", 0, " (records alone are a state: ",
		"PUT /admin/state, or --fixtures)", "Sandbox.Import, or WithFixtures)"},
	{"other_generator", 0, "; ", "export the world with ?data=true, so that its data is in it",
		"use Sandbox.ExportWorldWithData, so that its data is in it"},
}

// Message returns the error's message, followed by advice on what to do, in the wording for the
// surface.
func Message(err error, on Surface) string {
	if problems, ok := err.(field.Problems); ok {
		return Advised(problems, on).Error()
	}
	return Advised(field.Problems{field.ProblemOf("", err)}, on)[0].Message
}

// Advised returns copies of the problems. It appends advice, in the wording for the surface, to
// each message.
func Advised(problems field.Problems, on Surface) field.Problems {
	advised := make(field.Problems, len(problems))
	for i, problem := range problems {
		known := refusalOf(problem.Code)
		words := [...]string{known.wireAdvice, known.goAdvice}[on]
		advice := fmt.Sprintf(known.advice+words, problem.Args...)
		if strings.HasSuffix(problem.Message, "?") {
			advice = strings.TrimPrefix(advice, ";")
		}
		advised[i] = field.Problem{Field: problem.Field, Message: problem.Message + advice}
	}
	return advised
}

// Refuse returns the error response with the code. It panics if refusals has no status for the
// code.
func Refuse(code field.Code, message string, details ...field.Problem) *Error {
	known := refusalOf(code)
	if known.status == 0 {
		panic("rest: no response has the code " + code)
	}
	sent, _, _ := strings.Cut(string(code), ".")
	return &Error{Status: known.status, Code: sent, Message: message, Details: details}
}

// refusalOf returns the refusal for the code, or the zero refusal if there is none.
func refusalOf(code field.Code) refusal {
	for _, known := range refusals {
		if known.code == code {
			return known
		}
	}
	return refusal{}
}

// AsError converts any error to an error response. An unknown error becomes a 500 with generic
// text. Its Cause is the unknown error, which is logged but not sent.
func AsError(err error) *Error {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer
	}
	if problems, ok := errors.AsType[field.Problems](err); ok {
		return badFile(problems)
	}
	if errors.Is(err, sandbox.ErrKeyReused) {
		return Refuse("idempotency_key_reused",
			"this Idempotency-Key was already used with another body; use a new key for a new request",
			field.Problem{Field: "Idempotency-Key", Message: "was already used with another body"})
	}
	refused, ok := errors.AsType[*field.Problem](err)
	if !ok || refusalOf(refused.Code).status == 0 {
		e := Refuse("internal_error",
			"something went wrong in the server; its log has the cause under this response's X-Request-Id")
		e.Cause = err
		return e
	}
	answer := Refuse(refused.Code, Message(err, OnWire))
	if refused.Field != "" {
		answer.Details = field.Problems{{Field: refused.Field, Message: answer.Message}}
	}
	full, ok := errors.AsType[memory.Full](err)
	switch {
	case ok && !full.Never():
		return answer.With("Retry-After", "1")
	case errors.Is(err, registry.ErrLimit):
		return answer.With("Retry-After", "10") // by then, another sandbox may have been dropped because it was idle
	}
	return answer
}

// badFile returns the response to an invalid fixture file. If the file could not be parsed, the
// response names the line. Otherwise, its details are taken from the first maxDetails problems.
// They omit problems whose location is not a JSON Pointer.
func badFile(problems field.Problems) *Error {
	if fixtures.Broken(problems[0].Field) {
		return Refuse("invalid_json", problems[0].String())
	}
	advised := Advised(problems[:min(len(problems), field.MaxProblems)], OnWire)
	e := Refuse("validation_failed", advised[:1].Error()+countOthers(len(advised), len(problems) > len(advised)))
	for _, problem := range advised[:min(len(advised), maxDetails)] {
		if strings.HasPrefix(problem.Field, "/") {
			e.Details = append(e.Details, problem)
		}
	}
	return e
}
