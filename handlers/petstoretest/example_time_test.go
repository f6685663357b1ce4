package petstoretest_test

import (
	"fmt"
	"strings"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// newYear is a moment before the sunset of getPet.
var newYear = time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC)

func ExampleSandbox_Advance() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	before := pets.Now()
	pets.Advance(72 * time.Hour)
	fmt.Println(pets.Now().Sub(before) >= 72*time.Hour)
	// Output: true
}

func ExampleSandbox_SetTime() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.Freeze()
	pets.SetTime(newYear)
	pets.Advance(90 * time.Minute)
	fmt.Println(pets.Now(), pets.Clock().Frozen)

	pets.Unfreeze() // goes on from there
	fmt.Println(pets.Now().Year(), pets.Clock().Frozen)
	pets.ReleaseClock() // shows the machine's time
	fmt.Println(pets.Clock().Offset)
	// Output:
	// 2030-01-01 01:30:00 +0000 UTC true
	// 2030 false
	// 0
}

func ExampleSandbox_SetLifecycle() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.SetTime(newYear)
	pets.SetLifecycle("createPet", petstoretest.Lifecycle{
		Deprecated: true, Sunset: newYear.AddDate(0, 1, 0), Successor: "/v2/pets", EnforceSunset: true,
	})
	fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	pets.Advance(40 * 24 * time.Hour) // the day after
	fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	pets.ResetLifecycle("createPet")
	fmt.Println(addPet(pets.Client, pets.URL, "Rex"))
	// Output:
	// 201 Created
	// 410 Gone
	// 201 Created
}

func ExampleSandbox_ChangeLifecycle() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.ChangeLifecycle("getPet", func(l *petstoretest.Lifecycle) { l.Sunset = newYear })
	pets.ChangeLifecycle("getPet", func(l *petstoretest.Lifecycle) { l.EnforceSunset = true })
	age := pets.Lifecycle("getPet")
	fmt.Println(age.Sunset.Format(time.DateOnly), age.EnforceSunset, age.Successor)
	// Output: 2030-01-01 true /pets?id={petId}
}

func ExampleSandbox_Lifecycle() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	age := pets.Lifecycle("getPet")
	fmt.Println(age.Sunset.Format(time.DateOnly))
	age.Sunset = age.Sunset.AddDate(1, 0, 0)
	pets.SetLifecycle("getPet", age)
	for _, op := range pets.Operations() {
		if op.Changed {
			fmt.Println(op.ID, op.Lifecycle.Sunset.Format(time.DateOnly), op.Calls)
		}
	}
	// Output:
	// 2030-12-31
	// getPet 2031-12-31 0
}

func ExampleSandbox_Report() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	pets := petstoretest.Run(t).Sandbox(t.Name())
	response, err := pets.Client.Get(pets.URL + "/pets/7") // getPet is deprecated
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	for _, use := range pets.Report() {
		fmt.Println(use.Operation, use.Caller.UserAgent, use.Count)
	}
	fmt.Println(strings.Contains(pets.ReportJUnit(), `failures="1"`))
	// Output:
	// getPet Go-http-client/1.1 1
	// true
}
