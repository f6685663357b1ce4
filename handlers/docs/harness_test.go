package docs_test

import "example.com/petstore/handlers/internal/contracttest"

// These aliases keep the many rows of the tests short.
type (
	world    = contracttest.World
	request  = contracttest.Request
	answer   = contracttest.Answer
	document = contracttest.Document
)

const (
	newPet = contracttest.NewPet
)

var (
	newWorld        = contracttest.NewWorld
	get             = contracttest.Get
	keyed           = contracttest.Keyed
	post            = contracttest.Post
	put             = contracttest.Put
	drop            = contracttest.Delete
	inSandbox       = contracttest.InSandbox
	textual         = contracttest.Textual
	serviceDocument = contracttest.ServiceDocument
	adminDocument   = contracttest.AdminDocument
	jsonValue       = contracttest.JSONValue
	setLifecycle    = contracttest.SetLifecycle
)
