package chain_test

import (
	"sync/atomic"

	"github.com/cosmos/cosmos-sdk/client"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	gogogrpc "github.com/cosmos/gogoproto/grpc"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

// expiry is a virtual machine that does nothing except end, when the test says so, the validity of all transactions with a
// timeout height. A real height would come after a time that depends on the machine.
type expiry struct{ isOver atomic.Bool }

func (e *expiry) AnteDecorators() []sdk.AnteDecorator { return []sdk.AnteDecorator{e} }

func (e *expiry) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if limited, ok := tx.(sdk.TxWithTimeoutHeight); ok && limited.GetTimeoutHeight() > 0 && e.isOver.Load() {
		return ctx, sdkerrors.ErrTxTimeoutHeight
	}
	return next(ctx, tx, simulate)
}

func (*expiry) Name() string                                                  { return "expiry" }
func (*expiry) StoreNames() []string                                          { return nil }
func (*expiry) RegisterInterfaces(codectypes.InterfaceRegistry)               {}
func (*expiry) Open(chain.Base) error                                         { return nil }
func (*expiry) RegisterServices(_, _ gogogrpc.Server)                         {}
func (*expiry) RegisterGatewayRoutes(client.Context, *runtime.ServeMux) error { return nil }
func (*expiry) InitGenesis(sdk.Context) error                                 { return nil }
func (*expiry) Close() error                                                  { return nil }
