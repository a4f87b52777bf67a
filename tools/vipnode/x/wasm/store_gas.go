package wasm

import (
	"context"

	storetypes "cosmossdk.io/store/types"
	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
)

// sizeLimitGas is what storing code costs on miniwasm beyond what it costs here, as recorded: the largest size of a code is
// one more parameter there, which is read.
const sizeLimitGas storetypes.Gas = 1_057

// msgServer is x/wasm's own, with a rollup's price for storing code.
type msgServer struct{ wasmtypes.MsgServer }

func (s msgServer) StoreCode(ctx context.Context, message *wasmtypes.MsgStoreCode) (*wasmtypes.MsgStoreCodeResponse, error) {
	sdk.UnwrapSDKContext(ctx).GasMeter().ConsumeGas(sizeLimitGas, "largest size of a code")
	return s.MsgServer.StoreCode(ctx, message)
}
