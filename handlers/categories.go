package handlers

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var categories = newResource(resource[store.Category, store.CategoryQuery]{
	Noun:    store.Categories,
	path:    "/categories",
	param:   "categoryId",
	filters: []string{"name"},
	read: func(q *rest.Query, p store.Paging) store.CategoryQuery {
		return store.CategoryQuery{Paging: p, Name: q.Text("name")}
	},
	page: (*store.State).ListCategories,
})
