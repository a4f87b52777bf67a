package move

import (
	"strings"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

func TestEndlessLoopUsesAllGasAndNoMore(t *testing.T) {
	f := withBoard(t)
	_, gas, err := f.deliver(500_000, func(ctx sdk.Context) error {
		_, err := f.messages.Execute(ctx, boardCall("spin", nil))
		return err
	})
	wantEqual(t, gas, 500_000)
	wantOutOfGas(t, err)
	must(t, f.stillWorks())
}

func TestSimulatedLoopStopsAtItsLimit(t *testing.T) {
	f := withBoard(t)
	_, gas, err := f.deliverIn(sdk.ExecModeSimulate, 0, func(ctx sdk.Context) error {
		_, err := f.messages.Execute(ctx, boardCall("spin", nil))
		return err
	})
	wantOutOfGas(t, err)
	// A real node's default.
	if gas < 3_000_000 || gas > 3_010_000 {
		t.Fatalf("gas %d", gas)
	}
}

func TestViewStopsAtItsLimit(t *testing.T) {
	f := withBoard(t)
	_, err := f.queries.View(f.ctx, &types.QueryViewRequest{Address: deployerHex, ModuleName: "board", FunctionName: "spin_view"})
	wantOutOfGas(t, err)
	must(t, f.stillWorks())
}

func wantOutOfGas(t *testing.T, err error) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), "VM failure: status OUT_OF_GAS of type Execution with message gas_limit: ") ||
		!strings.Contains(err.Error(), "\nBacktrace: [...], location=") {
		t.Fatalf("error %v", err)
	}
}

func TestFailureIsCharged(t *testing.T) {
	f := withBoard(t)
	_, gas, err := f.execute(boardCall("fail", nil, u64(7)))
	wantError(t, err, abortedInBoard+"393223")
	if gas < 10_000 {
		t.Fatalf("gas %d", gas)
	}
}

// For a limit below what the chain itself uses before the VM runs, the SDK panics, and the panic is kept.
func TestTooLittleGasForTheCounters(t *testing.T) {
	f := withBoard(t)
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	_, _, err := f.deliver(100, func(ctx sdk.Context) error {
		_, err := f.messages.Execute(ctx, boardCall("spin", nil))
		return err
	})
	t.Fatalf("returned %v", err)
}
