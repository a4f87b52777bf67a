package wasm

import (
	"context"
	"time"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// queryServer is x/wasm's own, for a chain that goes on as well: until its next block the SDK knows no time, without which
// x/wasm asks no contract.
type queryServer struct{ wasmtypes.QueryServer }

func (s queryServer) SmartContractState(
	ctx context.Context, request *wasmtypes.QuerySmartContractStateRequest,
) (*wasmtypes.QuerySmartContractStateResponse, error) {
	if sdkCtx := sdk.UnwrapSDKContext(ctx); sdkCtx.BlockTime().IsZero() {
		ctx = sdkCtx.WithBlockTime(time.Now())
	}
	return s.QueryServer.SmartContractState(ctx, request)
}
