package wasm

import (
	"context"

	storetypes "cosmossdk.io/store/types"
	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// sizeLimitGas is the extra gas for storing code on miniwasm, as recorded: there the maximum size of a code is
// a parameter, which must be read.
const sizeLimitGas storetypes.Gas = 1_057

// msgServer is x/wasm's own, with a rollup's gas for storing code.
type msgServer struct{ wasmtypes.MsgServer }

func (s msgServer) StoreCode(ctx context.Context, message *wasmtypes.MsgStoreCode) (*wasmtypes.MsgStoreCodeResponse, error) {
	sdk.UnwrapSDKContext(ctx).GasMeter().ConsumeGas(sizeLimitGas, "largest size of a code")
	return s.MsgServer.StoreCode(ctx, message)
}
