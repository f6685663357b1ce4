package admin_test

import "example.com/petstore/handlers/internal/contracttest"

// These aliases keep the many rows of the tests short.
type (
	world    = contracttest.World
	request  = contracttest.Request
	answer   = contracttest.Answer
	scenario = contracttest.Scenario
	detail   = contracttest.Detail
)

const newPet = contracttest.NewPet

var (
	now             = contracttest.Now
	demoKey         = contracttest.DemoKey
	baseline        = contracttest.Baseline
	newWorld        = contracttest.New
	runScenarios    = contracttest.Run
	post            = contracttest.Post
	put             = contracttest.Put
	drop            = contracttest.Delete
	inSandbox       = contracttest.InSandbox
	textual         = contracttest.Textual
	serviceDocument = contracttest.ServiceDocument
	adminDocument   = contracttest.AdminDocument
	fetch           = contracttest.Fetch
	preflight       = contracttest.Preflight
	newServer       = contracttest.NewServer
	serveTo         = contracttest.Serve
	address         = contracttest.Address
	authorization   = contracttest.Authorization
	setLifecycle    = contracttest.SetLifecycle
	patchLifecycle  = contracttest.PatchLifecycle
	setClock        = contracttest.SetClock
	journalOf       = contracttest.JournalOf
)
