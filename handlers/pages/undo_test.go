package pages_test

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestUndoOfOtherClientsNeedsConfirmation checks that Undo reverts a write of this page at once, and another client's
// write only after naming it.
func TestUndoOfOtherClientsNeedsConfirmation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pets := func(want string) {
		t.Helper()
		w.Get(t, "/pets").ExpectHeader(t, "X-Total-Count", want)
	}
	w.Do(t, Post("/pets", `{"name": "Theirs", "categoryId": 1}`).With("X-Client", "web"))
	p := show(t, w, "/?view=data")
	p.WaitText(".table-scroll", "Theirs")
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "Undo POST /pets by web?")
	p.WaitText("dialog", " days ago: added pet 7.") // the clock of the world stands
	p.Click("button", "Cancel")
	pets("6")

	p.Choose("Status of Theirs", "sold")
	p.WaitText(".toasts", "Theirs is sold now.")
	p.In(".filters").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: Theirs is sold now.")
	w.Get(t, "/pets?status=sold&name=Theirs").ExpectHeader(t, "X-Total-Count", "0")
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "POST /pets by web")
	p.In("dialog").Click("button", "Undo it")
	p.Wait(`!document.querySelector(".table-scroll").innerText.includes("Theirs")`) // the toast may be the previous one
	pets("5")
	p.Click("button", "Find a command: Ctrl K")
	p.Fill("combobox", "Command", "undo")
	p.WaitText(".palette [aria-selected=true]", "Undo the last write")
	p.Press(browsertest.Enter)
	p.WaitText(".toasts", "Nothing to undo.")
}

// TestUndoAsksAgain checks that Undo reverts no other write of another client than the one that it has named, and that
// a reset ends the question.
func TestUndoAsksAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := pet(t, w, "2").Name
	rename := func(id, name string) {
		w.Must(t, Patch("/pets/"+id, `{"name": "`+name+`"}`))
	}
	rename("2", "Theirs")
	p := show(t, w, "/?view=data")
	p.WaitText(".table-scroll", "Theirs")
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "PATCH /pets/2 by")
	rename("3", "Later")
	p.In("dialog").Click("button", "Undo it")
	p.WaitText("dialog", "Another write came meanwhile, so nothing was undone.")
	p.Wait(`document.querySelector("dialog .danger").disabled`) // a double click reverts no other write
	if name := pet(t, w, "3").Name; name != "Later" {
		t.Errorf("pet 3 is %q before the user agreed", name)
	}
	p.Click("button", "Look again")
	p.WaitText("dialog", "PATCH /pets/3 by")
	p.Press(browsertest.Escape)
	rename("2", before)
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "PATCH /pets/2 by")
	p.In("dialog").Click("button", "Undo it")
	p.WaitText(".toasts", "Undone: PATCH /pets/2.")
	if name := pet(t, w, "2").Name; name != "Theirs" {
		t.Errorf("pet 2 is %q after the undo", name)
	}

	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "PATCH /pets/3 by Go-http-client")
	w.Must(t, Post("/admin/reset", ""))
	p.Wait(`!document.querySelector("dialog")`)
	p.WaitText(".toasts", "The data was reset, restored or undone elsewhere, so nothing was undone here.")
}

// TestQuestionFollowsWrites checks that the question of an open request shows which write came meanwhile, and ends with
// a message when another page undoes the write.
func TestQuestionFollowsWrites(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/pets/2", `{"name": "Theirs"}`))
	p := show(t, w, "/?id=1")
	p.In(".effect-of").Click("button", "Undo")
	p.WaitText("dialog", "Undo PATCH /pets/2 by Go-http-client?")
	w.Must(t, Patch("/pets/3", `{"name": "Later"}`))
	p.WaitText("dialog", "1 later request must be undone first: PATCH /pets/3.")
	p.Wait(`document.querySelector("dialog .danger").disabled`)
	p.In("dialog").Click("link", "PATCH /pets/3")
	p.Wait(`!document.querySelector("dialog")`)
	p.WaitText(".detail h2", "PATCH /pets/3")
	p.In(".effect-of").Click("button", "Undo")
	p.WaitText("dialog", "Undo PATCH /pets/3 by Go-http-client?")
	w.Must(t, Post("/admin/undo", ""))
	p.WaitText(".toasts", "PATCH /pets/3 was undone elsewhere.")
	p.Wait(`!document.querySelector("dialog")`)
}

// TestUndoTwice checks that Undo names the write that it reverts where the journal's last write is undone already, and
// that it then reverts the write of this page below. Its title follows the writes of other clients and a reset.
func TestUndoTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := [3]string{pet(t, w, "1").Name, pet(t, w, "2").Name, pet(t, w, "3").Name}
	rename := func(id, name string) {
		w.Must(t, Patch("/pets/"+id, `{"name": "`+name+`"}`))
	}
	rename("2", "Theirs")
	p := show(t, w, "/?view=data")
	p.Choose("Status of "+before[0], "sold")
	p.WaitText(".toasts", before[0]+" is sold now.")
	p.Wait(`document.querySelector("button:enabled[title='Undo: ` + before[0] + ` is sold now.']")`)
	rename("3", "Later")
	p.Wait(`document.querySelector("button[title='3 writes can be undone']")`)
	p.Choose("Status of Theirs", "pending")
	p.WaitText(".toasts", "Theirs is pending now.") // as it was already
	p.Wait(`!document.querySelector(".toasts").innerText.includes("Undo")`)
	p.Choose("Status of Theirs", "sold")
	p.WaitText(".toasts", "Theirs is sold now. Undo")
	p.In(".filters").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: Theirs is sold now.")
	p.Wait(`document.querySelector("button[title='3 writes can be undone']")`)
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "PATCH /pets/3 by")
	p.In("dialog").Click("button", "Undo it")
	p.WaitText(".toasts", "Undone: PATCH /pets/3.")
	p.Wait(`document.querySelector("button[title='Undo: ` + before[0] + ` is sold now.']")`)
	p.In(".filters").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: "+before[0]+" is sold now.")
	w.Get(t, "/pets?status=sold&name="+before[0]).ExpectHeader(t, "X-Total-Count", "0")
	p.Wait(`document.querySelector("button[title='1 write can be undone']")`)
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "PATCH /pets/2 by")
	p.In("dialog").Click("button", "Undo it")
	p.WaitText(".toasts", "Undone: PATCH /pets/2.")
	if got := [3]string{pet(t, w, "1").Name, pet(t, w, "2").Name, pet(t, w, "3").Name}; got != before {
		t.Errorf("the pets are %q, want %q", got, before)
	}

	// There are as many writes after the reset as when the page made its own.
	w.Must(t, Post("/admin/reset", ""))
	p.Wait(`document.querySelector("button:disabled[title='0 writes can be undone']")`)
	p.Wait(`document.querySelector("[aria-label='Status of ` + before[0] + `']").value === "available"`)
	p.Choose("Status of "+before[0], "sold")
	p.Wait(`document.querySelector("button:enabled[title='Undo: ` + before[0] + ` is sold now.']")`)
	w.Must(t, Post("/admin/reset", ""))
	rename("2", "Theirs")
	p.Wait(`document.querySelector("button:enabled[title='1 write can be undone']")`)
	w.Must(t, Post("/admin/reset?only=journal", ""))
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "It is the last part of this change: changed Pet 2: name "+before[1]+" → Theirs")
	p.Press(browsertest.Escape)
	rename("3", "Theirs")
	w.Must(t, Patch("/admin/data/pets/4", `{"name": "Of a page"}`))
	p.WaitText(".table-scroll", "Of a page")
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "made it, after PATCH /pets/3 by")
	p.WaitText("dialog li:only-child", "changed Pet 4: name ")
	p.Press(browsertest.Escape)
	w.Must(t, Patch("/admin/data/pets/5", `{"name": "Of a page"}`))
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "It is one of these changes, but the journal does not say which: changed Pet 4")
}

// TestUndoAnyway checks that Undo of a write reverts it together with those that other clients have made since, after
// it has said how many these are.
func TestUndoAnyway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := [2]string{pet(t, w, "1").Name, pet(t, w, "2").Name}
	p := show(t, w, "/?view=data")
	p.Choose("Status of "+before[0], "sold")
	p.WaitText(".toasts", before[0]+" is sold now.")
	rename := func(name string) {
		w.Must(t, Patch("/pets/2", `{"name": "`+name+`"}`))
	}
	rename("Theirs")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Something else changed since. Undoing now would revert that too: PATCH /pets/2 by ")
	p.Wait(`new Set([...document.querySelector(".toast.bad").children].map((part) =>
		((box) => box.y + box.height / 2)(part.getBoundingClientRect()))).size === 1`) // in one row
	at := browsertest.Eval[[]float64](p, `(({x, y}) => [x + 9, y + 9])(
		document.querySelector(".toast.bad button").getBoundingClientRect())`)
	twice := func(p *input.DispatchMouseEventParams) { p.ClickCount = 2 } // as the end of a double click on Undo
	p.Do(chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft, twice),
		chromedp.MouseEvent(chromedp.MouseReleased, at[0], at[1], chromedp.ButtonLeft, twice))
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "PATCH /pets/2 by")
	p.Wait(`!document.querySelector(".toast")`) // one offer at a time
	p.In("dialog").Click("button", "Undo it")
	p.WaitText(".toasts", "Undone: PATCH /pets/2.")
	p.Choose("Status of "+before[0], "pending")
	p.WaitText(".toasts", before[0]+" is pending now.")
	rename("Theirs")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undoing now would revert that too: PATCH /pets/2 by ")
	rename("Theirs again") // which the user does not know when agreeing
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "would revert that too: 2 writes.")
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "Undone: "+before[0]+" is pending now, and 2 later writes.")
	w.Get(t, "/pets?status=pending&name="+before[0]).ExpectHeader(t, "X-Total-Count", "0")
	if got := [2]string{pet(t, w, "1").Name, pet(t, w, "2").Name}; got != before {
		t.Errorf("the pets are %q, want %q", got, before)
	}
	p.Choose("Status of "+before[0], "pending")
	p.WaitText(".toasts", before[0]+" is pending now.")
	rename("Theirs")
	p.In(".toasts").Click("button", "Undo")
	p.See("button", "Undo anyway")
	p.Wait(`document.querySelector(".acts [title='3 writes can be undone']")`) // the summary has theirs
	w.Must(t, Post("/admin/undo", `{"steps": 3}`))
	p.Wait(`document.querySelector(".acts [title='0 writes can be undone']")`)
	if browsertest.Eval[bool](p, `document.querySelector(".toast") !== null`) {
		t.Error("the page offers to undo what was undone elsewhere")
	}
}

// TestResetWithdrawsWhatWasWritten checks that a reset by another client takes away the message about a write.
func TestResetWithdrawsWhatWasWritten(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Choose("Status of Rex", "sold")
	p.WaitText(".toasts", "Rex is sold now.")
	p.Wait(`document.querySelector("button:enabled[title='Undo: Rex is sold now.']")`) // the summary has the write
	w.Must(t, Post("/admin/reset", ""))
	p.Wait(`document.querySelector("button:disabled[title='0 writes can be undone']")`)
	if browsertest.Eval[bool](p, `document.querySelector(".toasts").innerText.includes("is sold now")`) {
		t.Error("the message about the write is still there")
	}
}
