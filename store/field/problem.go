package field

// Problem is what is wrong with one field of an input.
type Problem struct {
	Field   string `json:"field"` // a JSON Pointer (RFC 6901), or the name of a parameter or header
	Message string `json:"message"`
}
