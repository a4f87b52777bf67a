package move

import (
	"errors"
	"testing"
	"time"

	storetypes "cosmossdk.io/store/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

func TestGenesisModulesArePublishedAndCalled(t *testing.T) {
	members, points := table(1, 1)
	var called time.Time
	f := newFixture(t, GenesisModules{
		Publisher: address(t, deployerHex),
		Code:      [][]byte{compiled(t, compileBoard).module},
		Calls: func(genesisTime time.Time) []EntryCall {
			called = genesisTime
			return []EntryCall{{Module: "board", Function: "put", Arguments: [][]byte{members, points}}}
		},
	})
	wantEqual(t, called, genesisTime)
	wantEqual(t, f.viewData(t, "get", `"0xab00000000000000000000000000000000000001"`), `"1000"`)
}

func TestClosedKeeperRefuses(t *testing.T) {
	f := withBoard(t)
	f.keeper.Close()
	_, _, err := f.execute(boardCall("spin", nil))
	wantError(t, err, "the Move VM is closed")
	_, err = f.view("two", nil)
	wantError(t, err, "the Move VM is closed")
}

func TestGuard(t *testing.T) {
	wantError(t, guard(func() error { panic("broken") }), "panic: broken")
	wantError(t, guard(func() error { return errors.New("plain") }), "plain")
	must(t, guard(func() error { return nil }))
	defer func() {
		if _, outOfGas := recover().(storetypes.ErrorOutOfGas); !outOfGas {
			t.Fatal("running out of gas was swallowed")
		}
	}()
	_ = guard(func() error { panic(storetypes.ErrorOutOfGas{Descriptor: "test"}) })
}

func TestShorten(t *testing.T) {
	for text, short := range map[string]string{
		"plain": "plain",
		"a\nBacktrace: Backtrace [\n    { fn: \"b\" },\n    { fn: \"c\", file: \"d.rs\", line: 1 },\n], location=e": "a\nBacktrace: [...], location=e",
		"a\nBacktrace: Backtrace [\n    { fn: \"b\" },\n]\nBacktrace: Backtrace [\n    { fn: \"c\" },\n]":           "a\nBacktrace: [...]\nBacktrace: [...]",
		"a\nBacktrace: <disabled>": "a\nBacktrace: [...]",
	} {
		wantError(t, shorten(errors.New(text)), short)
	}
}

// Views and transactions come from different connections.
func TestCallsAtOnce(t *testing.T) {
	f := withBoard(t)
	must(t, f.stillWorks())
	f.commit()
	done := make(chan error)
	const readers = 8
	for range readers {
		ctx := f.ctx.WithMultiStore(f.store.CacheMultiStore())
		go func() {
			for range 50 {
				response, err := f.queries.View(ctx, &types.QueryViewRequest{
					Address: deployerHex, ModuleName: "board", FunctionName: "get", Args: [][]byte{member(1)},
				})
				if err == nil && response.Data != `"1000"` {
					err = errors.New("read " + response.Data)
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range readers {
		must(t, <-done)
	}
}
