package rest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
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
	sandbox.ErrBadName:         {"invalid_parameter", ""},
	sandbox.ErrBadSnapshotName: {"invalid_parameter", ""},
	sandbox.ErrLimit:           {"sandbox_limit_reached", "; drop one, wait until idle ones are dropped, or start the server with a larger --max-sandboxes"},
	sandbox.ErrExists:          {"conflict", ""},
	sandbox.ErrDefault:         {"conflict", ""},
	sandbox.ErrHistory:         {"conflict", ""},
	sandbox.ErrUnknown:         {"not_found", ""},
	sandbox.ErrShard:           {"unknown_sandbox", ""},
	sandbox.ErrTemplateChanges: {"conflict", ""},
	sandbox.ErrDoorClosed:      {"forbidden", ""},
	sandbox.ErrDoorFull:        {"forbidden", ""},
	sandbox.ErrEnded:           {"conflict", ""},
	fault.ErrUnknown:           {"not_found", ""},
	fault.ErrTaken:             {"conflict", ""},
	fault.ErrFull:              {"sandbox_full", ""},
	fault.ErrBytes:             {"sandbox_full", ""},
	fault.ErrLarge:             {"payload_too_large", ""},
	journal.ErrStreams:         {"unavailable", ""},
	journal.ErrWaiters:         {"unavailable", ""},
	sandbox.ErrNoSnapshot:      {"not_found", ""},
	webhook.ErrUnknown:         {"not_found", ""},
	webhook.ErrUnknownDelivery: {"not_found", ""},
	webhook.ErrFull:            {"sandbox_full", ""},
	webhook.ErrWaiters:         {"unavailable", ""},
	sandbox.ErrSnapshotFull:    {"sandbox_full", ""},
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
