package pattern

import "testing"

func TestMatchesAny(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, template string
		want              bool
	}{
		{"/pets", "/pets", true},
		{"/pets/7", "/pets/{petId}", true},
		{"/pets/*", "/pets/{petId}", true},
		{"/pets/", "/pets/{petId}", false},
		{"/pets", "/pets/{petId}", false},
		{"/pets/7/x", "/pets/{petId}", false},
		{"/*/7", "/pets/{petId}", true},
		{"/**", "/store/orders/{orderId}", true},
		{"/store/**", "/store/orders/{orderId}", true},
		{"/store/*", "/store/orders/{orderId}", false},
		{"/store/7", "/store/orders", false},
	} {
		if got := MatchesAny(test.pattern, test.template); got != test.want {
			t.Errorf("MatchesAny(%q, %q) = %t", test.pattern, test.template, got)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for pattern, ok := range map[string]bool{
		"/": true, "/pets": true, "/pets/*": true, "/*/7/**": true, "/**": true, "": false, "pets": false, "*": false,
		"/**/pets": false, "/pets*": false, "/pets/***": false, "/pets/7*/x": false, "/sandboxes": true,
		"/pets/{petId}": false, "/pets/}": false, "/pets?limit=1": false, "/sandboxes/ada/pets": false,
		"/sandboxes/**": false, "/pets/a%2Fb": true, "/pets/100%25": true, "/pets/%31": false, "/pets/100%": false,
		"/pets/a%2fb": false,
	} {
		if got := Check(pattern); (got == "") != ok {
			t.Errorf("Check(%q) = %q", pattern, got)
		}
	}
}
