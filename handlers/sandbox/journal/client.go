package journal

import "strings"

// ClientName returns the name of a client from its X-Client header, or else the first program in
// its User-Agent header; all browsers are "browser". It is empty without both headers.
func ClientName(client, agent string) string {
	switch {
	case client != "":
		return client
	case strings.HasPrefix(agent, "Mozilla/"):
		return "browser"
	}
	if end := strings.IndexAny(agent, " \t/"); end >= 0 {
		agent = agent[:end]
	}
	return agent
}
