package move

import (
	"errors"
	"os"
	"regexp"
)

// A real node shows that the VM's error had a backtrace, but not its contents: "Backtrace: [...]".
var backtrace = regexp.MustCompile(`Backtrace: (?:Backtrace \[(?s:.*?)\n\]|Backtrace \[\]|<[a-z]+>)`)

// recordBacktraces makes the VM add backtraces to its errors in any environment, so that a text is the same on
// every machine. The VM reads the setting when it first fails.
func recordBacktraces() error { return os.Setenv("RUST_LIB_BACKTRACE", "1") }

// shorten removes the backtraces from an error of the VM.
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
