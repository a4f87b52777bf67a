package move

import (
	"errors"
	"os"
	"regexp"
)

// A real node shows that the VM's error came with a backtrace and nothing of it: "Backtrace: [...]".
var backtrace = regexp.MustCompile(`Backtrace: (?:Backtrace \[(?s:.*?)\n\]|Backtrace \[\]|<[a-z]+>)`)

// recordBacktraces makes the VM add backtraces to its errors whatever the environment says, so that a text is the same on
// every machine. The VM looks when it fails for the first time.
func recordBacktraces() error { return os.Setenv("RUST_LIB_BACKTRACE", "1") }

// shorten takes the backtraces out of an error of the VM.
func shorten(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	short := backtrace.ReplaceAllLiteralString(text, "Backtrace: [...]")
	if short == text {
		return err
	}
	return errors.New(short)
}
