package middleware_test

import "example.com/petstore/handlers/internal/contracttest"

// Short names of the harness, for the many rows of the tests.
type (
	world    = contracttest.World
	request  = contracttest.Request
	answer   = contracttest.Answer
	scenario = contracttest.Scenario
	problem  = contracttest.Problem
)

const (
	rex    = contracttest.Rex
	newPet = contracttest.NewPet
	varies = contracttest.Varies
)

var (
	authorization  = contracttest.Authorization
	prefer         = contracttest.Prefer
	fetch          = contracttest.Fetch
	preflight      = contracttest.Preflight
	strict         = contracttest.Strict
	limited        = contracttest.Limited
	old            = contracttest.Deprecated
	at             = contracttest.At
	newServer      = contracttest.NewServer
	serveTo        = contracttest.Serve
	behind         = contracttest.Behind
	movable        = contracttest.Movable
	demoKey        = contracttest.DemoKey
	configured     = contracttest.Config
	newWorld       = contracttest.New
	runScenarios   = contracttest.Run
	post           = contracttest.Post
	put            = contracttest.Put
	drop           = contracttest.Delete
	inSandbox      = contracttest.InSandbox
	dataOf         = contracttest.DataOf
	send           = contracttest.Send
	exposedHeaders = contracttest.ExposedHeaders
)
