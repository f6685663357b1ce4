package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"regexp"
	"slices"
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

// Patterns of a page's modules, and of what a module imports: before it runs, or while it runs.
var (
	entry    = regexp.MustCompile(`<script type="module" src="pages/([^"]+)"></script>`)
	imported = regexp.MustCompile(`(?m)^(?:import|export)(?: [^"\n;=]* from)? "(\.{1,2}/[^"]+\.js)"`)
	later    = regexp.MustCompile(`=> import\("(\./[^"]+\.js)"\)`)
)

// rendered returns the HTML of each page by the name of its file, and by the view that it begins
// with: ?view=data, say.
var rendered = sync.OnceValue(func() map[string][]byte {
	names, err := fs.Glob(files, "*/*.html")
	if err != nil {
		panic(err) // the pattern is valid
	}
	pages := make(map[string][]byte)
	for _, name := range names {
		body := read(name)
		var first, modules, views []string
		for i, match := range entry.FindAllSubmatch(body, -1) {
			module := string(match[1])
			modules = modulesOf(modules, module)
			views = append(views, matches(later, module)...)
			if i == 0 {
				first = modules
			}
		}
		for _, view := range views {
			address := name + "?view=" + strings.TrimSuffix(path.Base(view), ".js")
			pages[address] = render(body, first, modulesOf(modules, view))
		}
		if len(views) > 0 {
			modules = modulesOf(modules, views[0])
		}
		pages[name] = render(body, first, modules)
	}
	return pages
})

// render returns the HTML of a page. It links to the version of each file, and to the modules, so
// that a browser need not read one module to request the next. The other modules wait for what the
// first ones request.
func render(body []byte, first, modules []string) []byte {
	if at := entry.FindIndex(body); at != nil {
		var links bytes.Buffer
		for i, module := range modules {
			priority := ""
			if i >= len(first) {
				priority = ` fetchpriority="low"`
			}
			links.WriteString(`<link rel="modulepreload"` + priority + ` href="pages/` + module + "\">\n")
		}
		body = slices.Concat(body[:at[0]], links.Bytes(), body[at[0]:])
	}
	return bytes.ReplaceAll(body, []byte(`"pages/`), []byte(`"pages/`+version()+"/"))
}

// modulesOf returns the modules, followed by the module and what it imports before it runs.
func modulesOf(modules []string, module string) []string {
	if slices.Contains(modules, module) {
		return modules
	}
	modules = append(slices.Clip(modules), module)
	if strings.HasPrefix(module, "library/") {
		return modules
	}
	for _, name := range matches(imported, module) {
		modules = modulesOf(modules, name)
	}
	return modules
}

// matches returns the modules whose names the pattern finds in the module.
func matches(pattern *regexp.Regexp, module string) []string {
	var names []string
	for _, match := range pattern.FindAllSubmatch(read(module), -1) {
		names = append(names, path.Join(path.Dir(module), string(match[1])))
	}
	return names
}

// read returns the content of a file.
func read(name string) []byte {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the files are embedded
	}
	return body
}
