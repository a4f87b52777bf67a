// Package chaintest starts chains in tests and sends transactions to them over REST, as every client does.
package chaintest

import (
	"context"
	"testing"
	"time"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

// HangBound is how long a test waits for anything. Only a hang takes that long, even on the slowest machine.
const HangBound = 10 * time.Minute

// Start starts a chain, which ends with the test, and returns a client for it. It sets missing options: a
// program, a chain id, a log that the test prints.
func Start(t testing.TB, options chain.Options) (*chain.Node, *Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), HangBound)
	defer cancel()
	node, err := chain.Start(ctx, Fill(t, options))
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() {
		if err := node.Stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return node, NewClient(t, node.RestURL(), node.ChainID(), node.Encoding())
}

// Fill returns the options with Start's defaults.
func Fill(t testing.TB, options chain.Options) chain.Options {
	if options.Program == "" {
		options.Program = "vipnode-test"
	}
	if options.ChainID == "" {
		options.ChainID = "vipnode-test-1"
	}
	if options.Log == nil {
		options.Log = testLog{t}
	}
	return options
}

// testLog writes to the test's output.
type testLog struct{ t testing.TB }

func (l testLog) Write(line []byte) (int, error) {
	l.t.Log(string(line))
	return len(line), nil
}
