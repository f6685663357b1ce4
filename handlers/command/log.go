package command

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"example.com/petstore/handlers/logs"
)

func (o *options) logHandler(w io.Writer) slog.Handler {
	level := &slog.HandlerOptions{Level: o.LogLevel}
	if o.LogFormat == "json" {
		return slog.NewJSONHandler(w, level)
	}
	return slog.NewTextHandler(w, level)
}

// logAlways logs a message regardless of --log-level.
func logAlways(handler slog.Handler, level slog.Level, message string, attributes ...slog.Attr) {
	record := slog.NewRecord(time.Now(), level, message, 0)
	record.AddAttrs(attributes...)
	_ = handler.Handle(context.Background(), record)
}

// reportError reports the error that ends the program. With --log-format json, the report is a log
// line, otherwise plain text.
func (o *options) reportError(out io.Writer, err error) {
	if o.LogFormat == "json" {
		logAlways(o.logHandler(out), slog.LevelError, err.Error())
		return
	}
	fmt.Fprintln(out, "petstore:", err)
}

func (o *options) logLoss(stderr io.Writer, lines int) {
	logAlways(o.logHandler(stderr), slog.LevelWarn, "log lines were lost here, because nobody read standard error",
		slog.Int("lines", lines))
}

// logWriter logs the lines of net/http's error log as warnings, because clients can cause most of
// them.
type logWriter struct{ log *logs.Bounded }

func (w logWriter) Write(line []byte) (int, error) {
	w.log.Warn(strings.TrimSpace(string(line)))
	return len(line), nil
}
