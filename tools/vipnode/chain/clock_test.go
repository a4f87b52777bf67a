package chain

import "time"

// WithClock replaces the clock of a chain's mempool.
func WithClock(options Options, now func() time.Time) Options {
	options.now = now
	return options
}
