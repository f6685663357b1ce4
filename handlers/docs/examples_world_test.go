package docs_test

import "example.com/petstore/fixtures"

// worldExamples returns requests for the examples of worlds in admin.yaml.
func worldExamples() map[string]provocation {
	keep, sale := put("/admin/snapshots/before-the-sale", ""), patch("/admin/data/pets/7", `{"status": "sold"}`)
	frozen := put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)
	fault := post("/admin/faults", `{"match": {"operationId": "createPet"}, "times": 2, "status": 503}`)
	lesson := []request{keep, sale, drop("/admin/data/store/orders/12"), frozen, fault}
	const small = `{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 1, "name": "Rex", "categoryId": 1}]}`
	const ofOther = `{"format": 1, "generator": "0123456789ab", "generated": {"pets": 100, "categories": 8, "orders": 50}, "state": {}}`
	withoutPet := `{"format": 1, "generator": "` + fixtures.Generator + `", "generated": {"pets": 100, "categories": 8, "orders": 50},
		"state": {}, "snapshots": [{"name": "before", "createdAt": "2026-03-14T09:30:00Z", "state": {"removed": {"pets": [7, 999]}}}]}`
	return map[string]provocation{
		"exportWorld/200/lesson":  {config: generated, before: lesson, request: get("/admin/world")},
		"exportWorld/200/small":   {config: starting(small), request: get("/admin/world")},
		"BadWorld/unknownPet":     {config: generated, request: put("/admin/world", withoutPet)},
		"BadWorld/noWorld":        {request: put("/admin/world", small)},
		"BadWorld/otherGenerator": {request: put("/admin/world", ofOther)},
	}
}
