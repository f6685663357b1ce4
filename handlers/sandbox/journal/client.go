package journal

import "strings"

// ClientName returns the name of a client by its own word, from its X-Client and User-Agent headers: X-Client,
// else the program that User-Agent names first, "browser" for all browsers. It is empty without both.
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
