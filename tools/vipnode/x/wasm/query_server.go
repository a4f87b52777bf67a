package wasm

import (
	"context"
	"time"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// queryServer is x/wasm's own, adapted for a restarted chain: until its next block the SDK has no time, and without a time
// x/wasm does not query contracts.
type queryServer struct{ wasmtypes.QueryServer }

func (s queryServer) SmartContractState(
	ctx context.Context, request *wasmtypes.QuerySmartContractStateRequest,
) (*wasmtypes.QuerySmartContractStateResponse, error) {
	if sdkCtx := sdk.UnwrapSDKContext(ctx); sdkCtx.BlockTime().IsZero() {
		ctx = sdkCtx.WithBlockTime(time.Now())
	}
	return s.QueryServer.SmartContractState(ctx, request)
}
