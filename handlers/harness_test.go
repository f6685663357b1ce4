package handlers_test

import "example.com/petstore/handlers/internal/contracttest"

// Short names of the harness, for the many rows of the tests.
type (
	world    = contracttest.World
	request  = contracttest.Request
	answer   = contracttest.Answer
	scenario = contracttest.Scenario
	problem  = contracttest.Problem
	document = contracttest.Document
)

const (
	newPet       = contracttest.NewPet
	baselineText = contracttest.BaselineText
)

var (
	now             = contracttest.Now
	authorization   = contracttest.Authorization
	prefer          = contracttest.Prefer
	fetch           = contracttest.Fetch
	preflight       = contracttest.Preflight
	strict          = contracttest.Strict
	limited         = contracttest.Limited
	at              = contracttest.At
	behind          = contracttest.Behind
	movable         = contracttest.Movable
	demoKey         = contracttest.DemoKey
	configured      = contracttest.Config
	newWorld        = contracttest.New
	runScenarios    = contracttest.Run
	get             = contracttest.Get
	keyed           = contracttest.Keyed
	post            = contracttest.Post
	put             = contracttest.Put
	drop            = contracttest.Delete
	inSandbox       = contracttest.InSandbox
	dataOf          = contracttest.DataOf
	checkAnswer     = contracttest.CheckAnswer
	behindPrefix    = contracttest.BehindPrefix
	chosenSandbox   = contracttest.ChosenSandbox
	isAdmin         = contracttest.IsAdmin
	codesOf         = contracttest.CodesOf
	documentOf      = contracttest.DocumentOf
	serviceDocument = contracttest.ServiceDocument
	adminDocument   = contracttest.AdminDocument
	address         = contracttest.Address
	journalOf       = contracttest.JournalOf
)
