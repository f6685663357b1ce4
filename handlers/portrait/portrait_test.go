package portrait

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/internal/must"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGoldens compares portraits with the golden files.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for file, portrait := range map[string][]byte{
		"dog-7.svg": Draw(7, "Dogs"), "cat-12.svg": Draw(12, "Cats"), "goldfish-100.svg": Draw(100, "Goldfish"),
		"unheard-of-1.svg": Draw(1, "<Unheard> & \"of\""),
	} {
		path := filepath.Join("testdata", file)
		if *update {
			must.Succeed(t, os.WriteFile(path, portrait, 0o644))
		}
		want := must.Get(os.ReadFile(path))(t)
		must.Equal(t, string(want), string(portrait), "%s", file)
	}
}

// TestSpecies checks the animal that each category gets.
func TestSpecies(t *testing.T) {
	t.Parallel()
	for category, want := range map[string]string{
		"Dogs": "dog", "Cats": "cat", "Rabbits": "rabbit", "Hamsters": "hamster", "Guinea Pigs": "guinea pig",
		"Parakeets": "bird", "Goldfish": "fish", "Tortoises": "tortoise", "Senior CATS": "cat",
		"Bearded Dragons": "lizard", "Ball Pythons": "snake", "Mice": "mouse", "Axolotls": "frog", "Puppies": "dog",
	} {
		if got := speciesOf(category).name; got != want {
			t.Errorf("%s are drawn as a %s, want a %s", category, got, want)
		}
	}
}

// TestSeedCategoriesHaveDifferentAnimals checks that the server's initial categories have different animals.
func TestSeedCategoriesHaveDifferentAnimals(t *testing.T) {
	t.Parallel()
	state := must.Get(fixtures.Generate(1, fixtures.DefaultSizes(), nil))(t)
	animals := make(map[string]int64)
	for id := int64(1); id <= int64(fixtures.DefaultSizes().Categories); id++ {
		category := must.Get(state.FindCategory(id))(t)
		animal := speciesOf(category.Name).name
		if other, ok := animals[animal]; ok {
			t.Errorf("the categories %d and %d are both drawn as a %s", other, id, animal)
		}
		animals[animal] = id
	}
}

// TestPortraitsDiffer checks that few of a hundred pets of one category look alike.
func TestPortraitsDiffer(t *testing.T) {
	t.Parallel()
	for _, s := range all {
		different := make(map[string]bool)
		for id := range int64(100) {
			_, drawing, _ := strings.Cut(string(Draw(id, s.words[0])), "</title>")
			different[drawing] = true
		}
		if len(different) < 98 {
			t.Errorf("of 100 of the %s just %d are different", s.name, len(different))
		}
	}
}

// drawn parses a portrait as XML and returns its title.
func drawn(t interface{ Fatalf(string, ...any) }, portrait []byte) (title string) {
	decoder := xml.NewDecoder(bytes.NewReader(portrait))
	inTitle := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return title
		}
		if err != nil {
			t.Fatalf("%v in %s", err, portrait)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inTitle = token.Name.Local == "title"
			switch token.Name.Local {
			case "svg", "title", "g", "rect", "circle", "ellipse", "path":
			default:
				t.Fatalf("it has a <%s>: %s", token.Name.Local, portrait)
			}
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "xmlns", "viewBox", "width", "height", "role", "x", "y", "rx", "ry", "cx", "cy", "r", "d", "fill",
					"transform",
					"stroke", "stroke-width", "stroke-linecap", "stroke-linejoin":
				default:
					t.Fatalf("it has the attribute %s: %s", a.Name.Local, portrait)
				}
			}
		case xml.EndElement:
			inTitle = false
		case xml.CharData:
			if inTitle {
				title += string(token)
			}
		}
	}
}

// TestPortraitsAreValid checks that every pet has a small, well-formed picture of known elements,
// which is always the same and whose title contains the category as text.
func TestPortraitsAreValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id, category := rapid.Int64().Draw(t, "id"), rapid.String().Draw(t, "category")
		checkPortrait(t, id, category)
	})
	for _, s := range all {
		for id := range int64(200) {
			checkPortrait(t, id, s.words[0])
		}
	}
}

func FuzzDraw(f *testing.F) {
	f.Add(int64(7), "Dogs")
	f.Add(int64(-1), `</title><script>alert(1)</script>`)
	f.Add(int64(1<<62), "\xff\x00\u202e"+strings.Repeat("&", 255))
	f.Fuzz(func(t *testing.T, id int64, category string) { checkPortrait(t, id, category) })
}

func checkPortrait(t interface{ Fatalf(string, ...any) }, id int64, category string) {
	portrait := Draw(id, category)
	title := drawn(t, portrait)
	if len(portrait) >= MaxBytes {
		t.Fatalf("portrait %d of %q has %d bytes", id, category, len(portrait))
	}
	if !bytes.Equal(portrait, Draw(id, category)) {
		t.Fatalf("portrait %d of %q is another the second time", id, category)
	}
	if !strings.HasPrefix(title, "Pet "+strconv.FormatInt(id, 10)+", a") {
		t.Fatalf("its title is %q", title)
	}
	if len(category) < 100 && strings.Trim(category, letters) == "" && !strings.HasSuffix(title, " ("+category+")") {
		t.Fatalf("its title is %q, without %q", title, category)
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ<>&'\" "
