package store

import (
	"fmt"

	"example.com/petstore/store/field"
)

// Error is a refused operation. [errors.Is] treats it as equal to one with only its Code.
type Error = field.Problem

// Code classifies an [Error].
type Code = field.Code

const (
	// NotFound: no record has the id.
	NotFound Code = "not_found"
	// UnknownCategory: no category has the pet's categoryId.
	UnknownCategory Code = "unknown_category"
	// UnknownPet: no pet has the order's petId.
	UnknownPet Code = "unknown_pet"
	// CategoryInUse: a pet still uses the category to be deleted.
	CategoryInUse Code = "category_in_use"
	// Full: the store already holds [Limits.Records] more than its baseline.
	Full Code = "sandbox_full.records"
	// FullBytes: the store would hold more than [Limits.Bytes] beyond its origin.
	FullBytes Code = "sandbox_full.bytes"
	// TooLarge: a state has more records than the store may hold.
	TooLarge Code = "sandbox_full.state"
	// NoID: no id is left for a new record.
	NoID Code = "sandbox_full.id"
)

func notFound(kind string, id int64) error {
	return field.Refusal(NotFound, "there is no %s with id %d", kind, id)
}

// unknownReference reports a reference to a record that does not exist.
func unknownReference(code Code, pointer, kind string, id int64) error {
	return &Error{Field: pointer, Message: fmt.Sprintf("there is no %s with id %d", kind, id), Code: code}
}

func unknownCategory(id int64) error {
	return unknownReference(UnknownCategory, "/categoryId", "category", id)
}

func unknownPet(id int64) error { return unknownReference(UnknownPet, "/petId", "pet", id) }
