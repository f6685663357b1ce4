package store

import "example.com/petstore/store/field"

// Error is the error for a rejected operation. [errors.Is] matches it with an Error that has the
// same Code and no message.
type Error = field.Problem

// Code classifies an [Error].
type Code = field.Code

const (
	// NotFound means that no record has the id.
	NotFound Code = "not_found"
	// UnknownCategory means that no category has the pet's categoryId.
	UnknownCategory Code = "unknown_category"
	// UnknownPet means that no pet has the order's petId.
	UnknownPet Code = "unknown_pet"
	// CategoryInUse means that a pet still uses the category to be deleted.
	CategoryInUse Code = "category_in_use"
	// Full means that the store already holds [Limits.Records] more records than its baseline.
	Full Code = "sandbox_full.records"
	// FullBytes means that the store would hold more than [Limits.Bytes] beyond its origin.
	FullBytes Code = "sandbox_full.bytes"
	// TooLarge means that a state has more records than the store may hold.
	TooLarge Code = "sandbox_full.state"
	// NoID means that a new record cannot get the next id, because the last one was [MaxID].
	NoID Code = "sandbox_full.id"
)
