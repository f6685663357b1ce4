package rest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// refusals maps the errors of the store to the code and the advice in the response. {id} stands for
// the error's id.
var refusals = map[store.Code]struct{ code, advice string }{
	store.NotFound:        {"not_found", ""},
	store.UnknownCategory: {"unknown_category", "; see GET /categories"},
	store.UnknownPet:      {"unknown_pet", "; see GET /pets"},
	store.CategoryInUse:   {"category_in_use", "; GET /pets?categoryId={id} lists them"},
	store.Full:            {"sandbox_full", "; delete some, reset it, or start the server with a larger --max-records"},
	store.FullBytes:       {"sandbox_full", "; delete records or snapshots, reset it, or start the server with a larger --sandbox-memory"},
	store.TooLarge:        {"sandbox_full", "; leave some out, or start the server with a larger --max-records"},
	store.NoID:            {"sandbox_full", ""},
}

// sandboxRefusals does the same for the errors of sandboxes and their registry.
var sandboxRefusals = map[error]struct{ code, advice string }{
	sandbox.ErrBadName:          {"invalid_parameter", ""},
	sandbox.ErrBadSnapshotName:  {"invalid_parameter", ""},
	registry.ErrLimit:           {"sandbox_limit_reached", "; drop one, wait until idle ones are dropped, or start the server with a larger --max-sandboxes"},
	registry.ErrExists:          {"conflict", ""},
	registry.ErrDefault:         {"conflict", ""},
	sandbox.ErrHistory:          {"conflict", ""},
	registry.ErrUnknown:         {"not_found", ""},
	registry.ErrShard:           {"unknown_sandbox", ""},
	registry.ErrTemplateChanges: {"conflict", ""},
	registry.ErrDoorClosed:      {"forbidden", ""},
	registry.ErrDoorFull:        {"forbidden", ""},
	registry.ErrEnded:           {"conflict", ""},
	fault.ErrUnknown:            {"not_found", ""},
	fault.ErrTaken:              {"conflict", ""},
	fault.ErrFull:               {"sandbox_full", ""},
	fault.ErrBytes:              {"sandbox_full", ""},
	fault.ErrLarge:              {"payload_too_large", ""},
	sandbox.ErrGone:             {"history_gone", "; it reaches the writes that undoable in GET /admin counts"},
	journal.ErrNoEntry:          {"not_found", "; GET /admin/requests lists those that are kept"},
	journal.ErrStreams:          {"unavailable", ""},
	journal.ErrWaiters:          {"unavailable", ""},
	sandbox.ErrNoSnapshot:       {"not_found", ""},
	webhook.ErrUnknown:          {"not_found", ""},
	webhook.ErrUnknownDelivery:  {"not_found", ""},
	webhook.ErrFull:             {"sandbox_full", ""},
	webhook.ErrWaiters:          {"unavailable", ""},
	sandbox.ErrSnapshotFull:     {"sandbox_full", ""},
}

// Advice returns what to do about an error of the store, a sandbox, the registry or the memory
// budget, as a continuation of the error's message. It is empty if the message itself says so, or
// if the error is unknown.
func Advice(err error) string {
	if refused, ok := errors.AsType[*store.Error](err); ok {
		return strings.ReplaceAll(refusals[refused.Code].advice, "{id}", strconv.FormatInt(refused.ID, 10))
	}
	if full, ok := errors.AsType[memory.Full](err); ok {
		return fullAdvice(full)
	}
	for refused, known := range sandboxRefusals {
		if errors.Is(err, refused) {
			return known.advice
		}
	}
	return ""
}

func fullAdvice(full memory.Full) string {
	first := "try again when other requests have finished, "
	switch {
	case full.Never() && full.PerByte > 0:
		first = "send less, "
	case full.Never():
		first = ""
	}
	return fmt.Sprintf("; %sdelete records, reset or drop sandboxes, or start the server with --max-memory %dMiB or more", first, full.Limit>>20)
}

// serverFull returns the response to a request that exceeds the server's memory. It asks the client
// to retry only if the end of other requests can free enough.
func serverFull(full memory.Full) *Error {
	answer := Refuse("server_full", full.Error()+Advice(full))
	if full.Never() {
		return answer
	}
	return answer.With("Retry-After", "1")
}

// AsError converts any error to a response. Unknown errors become a 500 with generic text; their
// cause is logged.
func AsError(err error) *Error {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer
	}
	if refused, ok := errors.AsType[*store.Error](err); ok {
		if known, ok := refusals[refused.Code]; ok {
			message := refused.Message + Advice(refused)
			if refused.Field == "" {
				return Refuse(known.code, message)
			}
			return Refuse(known.code, message, field.Problem{Field: refused.Field, Message: message})
		}
	}
	if problems, ok := errors.AsType[fixtures.Problems](err); ok {
		return badFile(problems)
	}
	if full, ok := errors.AsType[memory.Full](err); ok {
		return serverFull(full)
	}
	switch {
	case errors.Is(err, sandbox.ErrKeyReused):
		return Refuse("idempotency_key_reused", "this Idempotency-Key was already used with another body; use a new key for a new request",
			field.Problem{Field: "Idempotency-Key", Message: "was already used with another body"})
	case errors.Is(err, sandbox.ErrKeyInUse):
		return Refuse("conflict", "the first request with this Idempotency-Key is still running; wait for its response, then send this one again")
	}
	for refused, known := range sandboxRefusals {
		if errors.Is(err, refused) {
			answer := Refuse(known.code, err.Error()+known.advice)
			if refused == registry.ErrLimit {
				answer.With("Retry-After", "10") // by then, another sandbox may have been idle long enough
			}
			return answer
		}
	}
	e := Refuse("internal_error", "something went wrong in the server; its log has the cause under this response's X-Request-Id")
	e.Cause = err
	return e
}

// badFile returns the response to a fixture file with problems, each with its place.
func badFile(problems fixtures.Problems) *Error {
	if fixtures.Broken(problems[0].Field) {
		return Refuse("invalid_json", problems[0].String())
	}
	told := problems[:min(len(problems), field.MaxProblems)]
	e := Refuse("validation_failed", problems[0].String()+others(len(told), len(problems) > len(told)))
	for _, problem := range told[:min(len(told), maxDetails)] {
		if problem.Field = fixtures.Pointer(problem.Field); problem.Field != "" {
			e.Details = append(e.Details, problem)
		}
	}
	return e
}
