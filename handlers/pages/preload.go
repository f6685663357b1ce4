package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// forever is the Cache-Control header for a file whose path contains the version. When a file
// changes, its path changes too.
const forever = "public, max-age=31536000, immutable"

// version returns a hash of all files. It is part of the paths from which pages load files.
var version = sync.OnceValue(func() string {
	hash := sha256.New()
	// Walking cannot fail, because the files are embedded.
	_ = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, _ error) error {
		if !entry.IsDir() {
			fmt.Fprintf(hash, "%s%s", name, read(name))
		}
		return nil
	})
	return hex.EncodeToString(hash.Sum(nil))[:12]
})

// These patterns match the modules that a page loads, the static imports of a module, and the views
// that a module imports dynamically.
var (
	entry    = regexp.MustCompile(`<script type="module" src="pages/([^"]+)"></script>`)
	imported = regexp.MustCompile(`(?m)^(?:import|export)(?: [^"\n;=]* from)? "(\.{1,2}/[^"]+\.js)"`)
	viewed   = regexp.MustCompile(`= later\(\(\) => import\("(\./[^"]+\.js)"\)\);`)
)

// rendered returns the HTML of each page, keyed by the page's file name. If a page has views,
// rendered also returns the HTML with which the page starts in each view. Its key is the file name
// with a query, such as ?view=data.
var rendered = sync.OnceValue(func() map[string][]byte {
	names, _ := fs.Glob(files, "*/*.html") // cannot fail, because the pattern is valid
	pages := make(map[string][]byte)
	for _, name := range names {
		body := read(name)
		var first, modules, views []string
		for i, match := range entry.FindAllSubmatch(body, -1) {
			module := string(match[1])
			modules = modulesOf(modules, module)
			views = append(views, matches(viewed, module)...)
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

// render adds the version to the paths of files in a page. It also adds a preload link for each
// module, so that a browser requests a module before it has read the modules that import it. The
// slice modules begins with the modules in first. The others get a low priority.
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

// modulesOf adds module and its static imports, direct and indirect, to the list modules. It omits
// those that the list already contains, and the imports of the library's modules.
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

// matches returns the names of the modules that pattern finds in module.
func matches(pattern *regexp.Regexp, module string) []string {
	var names []string
	for _, match := range pattern.FindAllSubmatch(read(module), -1) {
		names = append(names, path.Join(path.Dir(module), string(match[1])))
	}
	return names
}

func read(name string) []byte {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(err) // cannot happen: the files are embedded
	}
	return body
}
