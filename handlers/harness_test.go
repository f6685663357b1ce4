package handlers_test

import "example.com/petstore/handlers/internal/contracttest"

// The harness's words, short for the many rows of the tests.
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
	old             = contracttest.Deprecated
	at              = contracttest.At
	behind          = contracttest.Behind
	movable         = contracttest.Movable
	demoKey         = contracttest.DemoKey
	config          = contracttest.Config
	newWorld        = contracttest.New
	runScenarios    = contracttest.Run
	post            = contracttest.Post
	put             = contracttest.Put
	drop            = contracttest.Delete
	inSandbox       = contracttest.InSandbox
	textual         = contracttest.Textual
	dataOf          = contracttest.DataOf
	send            = contracttest.Send
	checkAnswer     = contracttest.CheckAnswer
	behindPrefix    = contracttest.BehindPrefix
	chosenSandbox   = contracttest.ChosenSandbox
	isAdmin         = contracttest.IsAdmin
	codesOf         = contracttest.CodesOf
	documentOf      = contracttest.DocumentOf
	serviceDocument = contracttest.ServiceDocument
	adminDocument   = contracttest.AdminDocument
	plain           = contracttest.Plain
	jsonValue       = contracttest.JSONValue
	address         = contracttest.Address
	setLifecycle    = contracttest.SetLifecycle
	setClock        = contracttest.SetClock
	journalOf       = contracttest.JournalOf
)
