package pages_test

import (
	"fmt"

	"example.com/petstore/handlers/internal/browsertest"
)

// calls checks that the drawer shows the call of the labelled control, and that the call contains
// each of the texts. It opens the drawer if it is closed.
func calls(p *page, label string, want ...string) {
	if browsertest.Eval[bool](p, `(document.activeElement?.blur(), !document.querySelector(".drawer"))`) {
		p.Press("`")
		p.Wait(`document.querySelector(".drawer")`)
	}
	control := fmt.Sprintf(`[...document.querySelectorAll(".call")].findLast((mark) => mark.dataset.label === %q)?.previousElementSibling`, label)
	p.Wait(control)
	p.Wait(fmt.Sprintf(`(%s.dispatchEvent(new PointerEvent("pointerover", {bubbles: true})), document.querySelector(".drawer .control h3").textContent === %q)`, control, label))
	for _, text := range want {
		p.WaitText(".drawer .control pre", text)
	}
}
