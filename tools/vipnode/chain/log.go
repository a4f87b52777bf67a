package chain

import (
	"io"

	"cosmossdk.io/log"
	"github.com/rs/zerolog"
)

// newLogger writes warnings and errors, except those of the peer-to-peer port: nobody connects to it, and stopping it is
// logged as an error.
func newLogger(out io.Writer) log.Logger {
	return log.NewLogger(out, log.LevelOption(zerolog.WarnLevel), log.ColorOption(false),
		log.FilterOption(func(module, _ string) bool { return module == "p2p" }))
}
