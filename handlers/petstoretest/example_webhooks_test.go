package petstoretest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

func ExampleSandbox_SetWebhook() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	// The code under test.
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(r.Header.Get("Webhook-Signature")[:3], len(body) > 0)
	}))
	defer receiver.Close()
	pets := petstoretest.Run(t).Sandbox(t.Name())
	secret := pets.SetWebhook("shop", petstoretest.Webhook{URL: receiver.URL, Events: []string{"pet.*"}})
	addPet(pets.Client, pets.URL, "Rex")
	for _, d := range pets.WaitForDeliveries(time.Minute, "shop",
		petstoretest.DeliveryFilter{State: petstoretest.Delivered}, 1) {
		fmt.Println(secret[:6], d.Event, d.Tries[0].Status)
	}
	// Output:
	// v1, true
	// whsec_ pet.created 200
}

func ExampleSandbox_ResendDelivery() {
	t := newExampleT() // in a test: its *testing.T
	defer t.end()

	mux := http.NewServeMux()
	mux.HandleFunc("/hook", func(http.ResponseWriter, *http.Request) {})
	receiver := httptest.NewServer(mux)
	defer receiver.Close()
	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.SetWebhook("shop", petstoretest.Webhook{URL: receiver.URL + "/typo"})
	addPet(pets.Client, pets.URL, "Rex")
	id := pets.Deliveries("shop", petstoretest.DeliveryFilter{})[0].ID

	pets.SetWebhook("shop", petstoretest.Webhook{URL: receiver.URL + "/hook"})
	pets.ResendDelivery("shop", id)
	pets.WaitForDeliveries(time.Minute, "shop", petstoretest.DeliveryFilter{State: petstoretest.Delivered}, 1)
	fmt.Println(pets.Webhooks()[0].Delivered)
	pets.DeleteWebhook("shop")
	// Output:
	// 1
}
