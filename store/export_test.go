package store

// Violations exports violations for tests of the whole service.
var Violations = violations
