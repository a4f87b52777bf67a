package chain

import "time"

// WithClock gives the mempool of a chain another clock.
func WithClock(options Options, now func() time.Time) Options {
	options.now = now
	return options
}
