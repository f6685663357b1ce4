package command

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"
)

func (o *options) logHandler(w io.Writer) slog.Handler {
	level := &slog.HandlerOptions{Level: o.logLevel}
	if o.logFormat == "json" {
		return slog.NewJSONHandler(w, level)
	}
	return slog.NewTextHandler(w, level)
}

// logAlways logs a warning that no --log-level hides.
func logAlways(handler slog.Handler, message string, attribute slog.Attr) {
	record := slog.NewRecord(time.Now(), slog.LevelWarn, message, 0)
	record.AddAttrs(attribute)
	_ = handler.Handle(context.Background(), record)
}

func (o *options) logLoss(stderr io.Writer, lines int) {
	logAlways(o.logHandler(stderr), "log lines were lost here, because nobody read standard error", slog.Int("lines", lines))
}

// logWriter writes the lines of net/http's own log, most of which any client can cause.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(line []byte) (int, error) {
	w.log.Warn(strings.TrimSpace(string(line)))
	return len(line), nil
}
