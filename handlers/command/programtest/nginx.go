package programtest

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// Nginx is an nginx proxy. After [Nginx.Start], it serves HTTPS and HTTP/2.
type Nginx struct {
	Origin    string          // scheme://host:port
	Transport *http.Transport // trusts the proxy's certificate and uses HTTP/2

	t         testing.TB
	listener  *net.TCPListener
	dir       string
	cert, key string // paths of the files
}

// NewNginx returns a proxy that listens but does not serve yet, so that a server can be started
// with the proxy's address.
func NewNginx(t testing.TB) *Nginx {
	t.Helper()
	RequireTool(t, "nginx")
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	cert, key, transport := newCertificate(t)
	n := &Nginx{Origin: "https://" + listener.Addr().String(), Transport: transport, t: t,
		listener: listener.(*net.TCPListener), dir: t.TempDir()}
	n.cert, n.key = n.write("cert.pem", cert), n.write("key.pem", key)
	return n
}

func (n *Nginx) write(name, text string) (path string) {
	n.t.Helper()
	path = filepath.Join(n.dir, name)
	must.Succeed(n.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Start starts nginx with a recipe from testdata/recipes/nginx, written for the host and adapted by
// [Replaced]. It stops nginx at the end of the test.
func (n *Nginx) Start(recipe, host string, replace ...string) {
	n.t.Helper()
	recipe = Replaced(n.t, recipe, append(replace,
		"listen 443", "listen "+n.listener.Addr().String(), "server_name "+host+";", "",
		"/etc/ssl/certs/"+host+".pem", n.cert, "/etc/ssl/private/"+host+".key", n.key)...)
	temporary := ""
	for _, what := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += fmt.Sprintf("\t%s_temp_path %s;\n", what, filepath.Join(n.dir, what))
	}
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n" // the workers must be able to write to the test's directory
	}
	config := n.write("nginx.conf", fmt.Sprintf("daemon off;\n%spid %s;\nevents {}\nhttp {\n\taccess_log off;\n%s%s}\n",
		user, filepath.Join(n.dir, "nginx.pid"), temporary, recipe))
	listening := must.Get(n.listener.File())(n.t)
	defer listening.Close()
	log := NewTranscript()
	cmd := exec.Command("nginx", "-c", config, "-p", n.dir, "-e", "stderr")
	cmd.Stderr, cmd.ExtraFiles = log, []*os.File{listening}
	cmd.Env = append(os.Environ(), "NGINX=3;") // descriptor 3 is the listening socket
	must.Succeed(n.t, cmd.Start())
	n.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // also ends the workers
		if err := cmd.Wait(); err != nil {
			n.t.Errorf("nginx: %v", err)
		}
		if n.t.Failed() {
			n.t.Logf("nginx said:\n%s", log)
		}
	})
}
