package store

// Violations is for tests of the whole service.
var Violations = violations
