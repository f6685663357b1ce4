package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// forever lets a browser keep a file whose path names the version: other bytes have another path.
const forever = "public, max-age=31536000, immutable"

// version names the content of all files. Pages have it in the paths of the files that they load.
var version = sync.OnceValue(func() string {
	hash := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := files.ReadFile(name)
		hash.Write([]byte(name))
		hash.Write(body)
		return err
	})
	if err != nil {
		panic(err) // the files are embedded
	}
	return hex.EncodeToString(hash.Sum(nil))[:12]
})

// Patterns of a page's module, and of what a module imports: before it runs, or while it runs.
var (
	entry    = regexp.MustCompile(`<script type="module" src="pages/([^"]+)"></script>`)
	imported = regexp.MustCompile(`(?m)^(?:import|export)(?: [^"\n;=]* from)? "(\.{1,2}/[^"]+\.js)"`)
	later    = regexp.MustCompile(`=> import\("(\./[^"]+\.js)"\)`)
)

// rendered returns the HTML of each page by the name of its file.
var rendered = sync.OnceValue(func() map[string][]byte {
	names, err := fs.Glob(files, "*/*.html")
	if err != nil {
		panic(err) // the pattern is valid
	}
	pages := make(map[string][]byte)
	for _, name := range names {
		pages[name] = render(name)
	}
	return pages
})

// render returns the HTML of a page. It links to the version of each file, and to every module
// that the page imports, so that a browser need not read one module to request the next.
func render(name string) []byte {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the files are embedded
	}
	if at := entry.FindSubmatchIndex(body); at != nil {
		var links bytes.Buffer
		first, next := modulesOf(string(body[at[2]:at[3]]))
		for _, module := range first {
			links.WriteString(`<link rel="modulepreload" href="pages/` + module + "\">\n")
		}
		for _, module := range next {
			links.WriteString(`<link rel="modulepreload" fetchpriority="low" href="pages/` + module + "\">\n")
		}
		body = bytes.Join([][]byte{body[:at[0]], links.Bytes(), body[at[0]:]}, nil)
	}
	return bytes.ReplaceAll(body, []byte(`"pages/`), []byte(`"pages/`+version()+"/"))
}

// modulesOf returns the modules that must be there before the module runs, and those that it then
// loads.
func modulesOf(module string) (first, next []string) {
	seen := make(map[string]bool)
	var dynamic []string
	var walk func(module string, list *[]string)
	walk = func(module string, list *[]string) {
		if seen[module] {
			return
		}
		seen[module] = true
		*list = append(*list, module)
		body, err := files.ReadFile(module)
		if err != nil || strings.HasPrefix(module, "library/") {
			return
		}
		for _, match := range later.FindAllSubmatch(body, -1) {
			dynamic = append(dynamic, path.Join(path.Dir(module), string(match[1])))
		}
		for _, match := range imported.FindAllSubmatch(body, -1) {
			walk(path.Join(path.Dir(module), string(match[1])), list)
		}
	}
	walk(module, &first)
	for _, module := range dynamic {
		walk(module, &next)
	}
	return first, next
}
