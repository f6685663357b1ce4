package journal

import "time"

// These are the limits of an entry, in bytes. A longer text is truncated, and ends in an ellipsis
// unless it is a body. A header that no longer fits into the limit of all headers is left out. No
// entry exceeds maxEntry.
const (
	MaxBody    = 4 << 10 // a body
	maxText    = 1 << 10 // a path, a query or a header value
	maxWord    = 256     // any other text
	maxHeaders = 2 << 10 // all headers of a request or a response
	maxEntry   = 16 << 10
)

// Entry is a recorded request and its response.
type Entry struct {
	// The id counts from 1 in each sandbox. A reset does not restart it.
	ID        int64     `json:"id"`
	Time      time.Time `json:"time"`       // when the request arrived, by the sandbox's clock
	Came      time.Time `json:"receivedAt"` // when the request arrived, by the machine's clock
	RequestID string    `json:"requestId"`  // as in X-Request-Id
	// The request's draw number, which determines its random draws; 0 if it has none.
	Draw             uint64            `json:"draw,omitzero"`
	OperationID      string            `json:"operationId,omitzero"`
	Method           string            `json:"method"`
	Scheme           string            `json:"scheme"` // http or https
	Host             string            `json:"host"`   // from the request, including the port
	Path             string            `json:"path"`   // without the sandbox prefix
	Query            string            `json:"query,omitzero"`
	Protocol         string            `json:"protocol"` // such as HTTP/1.1
	Headers          map[string]string `json:"headers"`  // multiple values of a name are joined with ", "
	HeadersTruncated bool              `json:"headersTruncated,omitzero"`
	Body             string            `json:"body,omitzero"`
	BodyTruncated    bool              `json:"bodyTruncated,omitzero"`
	BodySize         int64             `json:"bodySize"`            // size of the whole body in bytes, or -1 if unknown
	Status           int               `json:"status"`              // 0 if the connection was aborted
	DurationMS       float64           `json:"durationMs"`          // until the start of the response
	Fault            int64             `json:"fault,omitzero"`      // the id of the applied rule
	Changed          bool              `json:"changed,omitzero"`    // whether the request changed the data
	Undone           bool              `json:"undone,omitzero"`     // whether an undo has reverted that change
	Client           string            `json:"client"`              // the client's address
	ClientName       string            `json:"clientName,omitzero"` // see [ClientName]
	// The response is nil if the connection was aborted before the response began.
	Response *Response `json:"response,omitzero"`
}

// size returns the approximate size of the entry in memory.
func (e *Entry) size() int {
	const fixed, perHeader = 512, 64 // bytes of an entry and of a header, not counting their strings
	n := fixed + len(e.RequestID) + len(e.OperationID) + len(e.Method) + len(e.Host) + len(e.Path) + len(e.Query) +
		len(e.Protocol) + len(e.Body) + len(e.Client)
	messages := []map[string]string{e.Headers}
	if e.Response != nil {
		n += len(e.Response.Body)
		messages = append(messages, e.Response.Headers)
	}
	for _, headers := range messages {
		for name, value := range headers {
			n += perHeader + len(name) + len(value)
		}
	}
	return n
}

// Response is a recorded response, as it was when it began and before compression.
type Response struct {
	Status           int               `json:"status"` // the status as sent, even if the connection was aborted later
	Headers          map[string]string `json:"headers"`
	HeadersTruncated bool              `json:"headersTruncated,omitzero"`
	Body             string            `json:"body,omitzero"` // empty for a binary body
	BodyTruncated    bool              `json:"bodyTruncated,omitzero"`
	BodySize         int64             `json:"bodySize"` // size of the whole body in bytes, or -1 if unknown
}

// Request is a request to be recorded. The journal copies everything that it keeps.
type Request struct {
	Time, Came              time.Time // when the request arrived, by the sandbox's clock and by the machine's clock
	ID, OperationID, Client string
	Draw                    uint64
	Method, Path, Query     string
	Secure                  bool // over TLS
	Host, Protocol          string
	Message
	Response *Answer // nil if no response was sent
	Status   int
	Duration time.Duration // until the start of the response
	Fault    int64
	Before   int64 // the number of the state before the request; see [Journal.StatesOf]
	State    int64 // the number of the state that the request read or made
	Resets   int   // the number of resets before the request arrived; see [Journal.Resets]
}

// Answer is a response to be recorded.
type Answer struct {
	Status int
	Message
}

// Message is the common part of requests and responses.
type Message struct {
	Headers map[string][]string
	Body    []byte // the known start of the body; nil if there is no body or it is not recorded
	Size    int64  // size of the whole body in bytes, or -1 if unknown
}
