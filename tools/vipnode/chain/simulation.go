package chain

import (
	"context"
	"math"

	storetypes "cosmossdk.io/store/types"
	cmtsync "github.com/cometbft/cometbft/libs/sync"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"google.golang.org/grpc"
)

// maxSimulationGas ends a simulation or a query that would otherwise never end. The largest transaction that the mempool
// accepts holds about 50,000 scores at some 4,300 gas each with the reference contract; this is twice as much.
const maxSimulationGas = 500_000_000

// simulationGas is the gas limit of a simulation. A virtual machine that is slower per gas can set its own with a method
// SimulationGas().
func simulationGas(vm VM) storetypes.Gas {
	if known, ok := vm.(interface{ SimulationGas() storetypes.Gas }); ok {
		return known.SimulationGas()
	}
	return maxSimulationGas
}

// simulationLimitDecorator gives a simulation a meter with a limit. The SDK's meter has none.
type simulationLimitDecorator struct{ limit storetypes.Gas }

func (d simulationLimitDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if simulate {
		ctx = ctx.WithGasMeter(storetypes.NewGasMeter(d.limit))
	}
	return next(ctx, tx, simulate)
}

// simulate runs a transaction on the newest state and drops its writes. Like the SDK, it reports that a simulation has
// no limit: clients read that in gas_wanted.
func (app *application) simulate(txBytes []byte) (sdk.GasInfo, *sdk.Result, error) {
	gas, result, err := app.Simulate(txBytes)
	gas.GasWanted = math.MaxUint64
	return gas, result, err
}

// simulationLock is a gRPC server that simulates under the state machine's lock: a simulation runs on the state that the
// next block is being written to. A simulation in an ABCI query already has the lock, as every ABCI call does.
type simulationLock struct {
	*grpc.Server
	running *cmtsync.Mutex
}

// RegisterService adds a service, and adds the lock to the method that simulates.
func (s simulationLock) RegisterService(service *grpc.ServiceDesc, handler any) {
	methods := make([]grpc.MethodDesc, len(service.Methods))
	for i, method := range service.Methods {
		methods[i] = method
		if service.ServiceName == "cosmos.tx.v1beta1.Service" && method.MethodName == "Simulate" {
			methods[i].Handler = s.locked(method.Handler)
		}
	}
	locking := *service
	locking.Methods = methods
	s.Server.RegisterService(&locking, handler)
}

type methodHandler = func(any, context.Context, func(any) error, grpc.UnaryServerInterceptor) (any, error)

func (s simulationLock) locked(simulate methodHandler) methodHandler {
	return func(server any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		s.running.Lock()
		defer s.running.Unlock()
		return simulate(server, ctx, decode, interceptor)
	}
}
