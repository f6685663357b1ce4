package journal

import "time"

// Bounds of an entry, in bytes. A longer text ends in an ellipsis; of headers that are
// too much together the shortest are kept. So no entry takes more than maxEntry.
const (
	MaxBody    = 4 << 10 // of a body
	maxText    = 1 << 10 // of a path, a query and the value of a header
	maxWord    = 256     // of each other text
	maxHeaders = 2 << 10 // of the headers of a request or a response together
	maxEntry   = 16 << 10
)

// Entry is one request and its response.
type Entry struct {
	ID               int64             `json:"id"`            // counts up from 1 in each sandbox, and on after a reset
	Time             time.Time         `json:"time"`          // when it came, by the sandbox's clock
	Came             time.Time         `json:"-"`             // the same by the machine's time
	RequestID        string            `json:"requestId"`     // the answer's X-Request-Id
	Draw             uint64            `json:"draw,omitzero"` // the number that its chance came from; 0: it had none
	OperationID      string            `json:"operationId,omitzero"`
	Method           string            `json:"method"`
	Scheme           string            `json:"scheme"` // http or https
	Host             string            `json:"host"`   // that was asked, with its port
	Path             string            `json:"path"`   // without the sandbox's prefix
	Query            string            `json:"query,omitzero"`
	Protocol         string            `json:"protocol"` // such as HTTP/1.1
	Headers          map[string]string `json:"headers"`  // several values of one name are joined by ", "
	HeadersTruncated bool              `json:"headersTruncated,omitzero"`
	Body             string            `json:"body,omitzero"`
	BodyTruncated    bool              `json:"bodyTruncated,omitzero"`
	BodySize         int64             `json:"bodySize"`            // bytes of the whole body; -1: not known
	Status           int               `json:"status"`              // 0: the connection was broken off
	DurationMS       float64           `json:"durationMs"`          // until the answer began
	Fault            int64             `json:"fault,omitzero"`      // id of the rule that was applied
	Client           string            `json:"client"`              // the address of the client
	ClientName       string            `json:"clientName,omitzero"` // see [ClientName]
	Response         *Response         `json:"response,omitzero"`   // nil: the connection was broken off before it began
}

// size returns about what it costs to keep the entry.
func (e *Entry) size() int {
	const fixed, perHeader = 512, 64 // besides the texts
	n := fixed + len(e.RequestID) + len(e.OperationID) + len(e.Method) + len(e.Host) + len(e.Path) + len(e.Query) + len(e.Protocol) + len(e.Body) + len(e.Client)
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

// Response is what was sent to answer a request, as far as it was known when it began,
// before it was compressed.
type Response struct {
	Status           int               `json:"status"` // that was sent, even where the connection was broken off then
	Headers          map[string]string `json:"headers"`
	HeadersTruncated bool              `json:"headersTruncated,omitzero"`
	Body             string            `json:"body,omitzero"` // where it is text
	BodyTruncated    bool              `json:"bodyTruncated,omitzero"`
	BodySize         int64             `json:"bodySize"` // bytes of the whole body; -1: not known
}

// Request is what the journal is told of a request. The journal copies what it
// keeps of it.
type Request struct {
	Time, Came              time.Time // by the sandbox's clock, and by the machine's time
	ID, OperationID, Client string
	Draw                    uint64
	Method, Path, Query     string
	Secure                  bool // whether it came by TLS
	Host, Protocol          string
	Message
	Response *Answer // nil: nothing is sent
	Status   int
	Duration time.Duration // until the answer began
	Fault    int64
	Resets   int // of the journal, when the request came; see [Journal.Resets]
}

// Answer is what the journal is told of a response.
type Answer struct {
	Status int
	Message
}

// Message is what requests and responses have alike.
type Message struct {
	Headers map[string][]string
	Body    []byte // as far as it is known; nil: there is none, or none that is kept
	Size    int64  // bytes of the whole body; -1: not known
}
