package chain

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/cometbft/cometbft/node"
	rpcserver "github.com/cometbft/cometbft/rpc/jsonrpc/server"
	"github.com/cosmos/cosmos-sdk/server"
	servercmtlog "github.com/cosmos/cosmos-sdk/server/log"
	"github.com/cosmos/cosmos-sdk/version"

	"github.com/vipscore/vipscore/tools/vipnode"
	"github.com/vipscore/vipscore/tools/vipnode/mempool"
)

// Node is a running chain.
type Node struct {
	chainID   string
	home      *home
	app       *application
	gateway   *gateway
	consensus *node.Node
	// watch and pool exist only with initia's mempool.
	watch     *mempool.Watch
	pool      *mempool.Pool
	rest, rpc *httpServer
	// executed is the time that blocks have taken, in nanoseconds.
	executed atomic.Int64
}

// Start starts a chain and returns once its REST and RPC servers answer and its first block is readable. The context only
// bounds the start; Stop ends a running chain. Start fails, leaving nothing open, if a port is in use,
// or if Home holds other files, another chain, or a chain of another program, or is in use.
func Start(ctx context.Context, options Options) (_ *Node, err error) {
	logger := newLogger(options.Log)
	cmtLogger := servercmtlog.CometLoggerWrapper{Logger: logger}
	if options.Mempool == "" {
		options.Mempool = MempoolInitia
	}
	version.AppName, version.Name, version.Version = options.Program, options.Program, vipnode.Version()

	n := &Node{chainID: options.ChainID}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.Stop())
		}
	}()

	restPort, err := listen(options.RestPort)
	if err != nil {
		return nil, err
	}
	n.rest = newHTTPServer(restPort)
	rpcPort, err := listen(options.RPCPort)
	if err != nil {
		return nil, err
	}
	n.rpc = newHTTPServer(rpcPort)

	if n.home, err = openHome(options); err != nil {
		return nil, err
	}
	n.app, err = newApplication(options.Program, options.ChainID, n.home.path, options.VM, options.Mempool, n.home.state, logger)
	if err != nil {
		return nil, err
	}
	if n.gateway, err = newGateway(n.app, options.ChainID); err != nil {
		return nil, err
	}
	n.consensus, err = newConsensus(n.home, n.app, n.machine(options.Mempool), options, rpcPort.Addr().String(), cmtLogger)
	if err != nil {
		return nil, err
	}
	environment, err := newEnvironment(n.consensus)
	if err != nil {
		return nil, err
	}
	if n.watch != nil {
		n.pool = newPool(n.app, n.watch, environment, options.now)
		environment.Mempool = n.pool
	}
	if err = n.gateway.start(n.consensus, environment); err != nil {
		return nil, err
	}
	rpcHandler := newRPC(environment, &n.executed, cmtLogger)
	if err = startConsensus(ctx, n.consensus); err != nil {
		return nil, err
	}
	routes := serveBridgeInfo(options.Bridge, n.gateway.routes)
	if options.IsL1 {
		routes = serveBridges(n.gateway.routes)
	}
	// The SDK's REST server answers a panic as CometBFT's RPC does.
	n.rest.start(rpcserver.RecoverAndLogHandler(routes, cmtLogger), logger)
	n.rpc.start(rpcHandler, logger)
	return n, nil
}

// machine is the state machine as CometBFT calls it.
func (n *Node) machine(pool Mempool) abci.Application {
	var app abci.Application = timed{server.NewCometABCIWrapper(n.app), &n.executed}
	if pool == MempoolClassic {
		return mempool.Classic{Application: app}
	}
	n.watch = mempool.NewWatch(app)
	return n.watch
}

// timed counts the time that blocks take.
type timed struct {
	abci.Application
	executed *atomic.Int64
}

func (t timed) FinalizeBlock(ctx context.Context, request *abci.RequestFinalizeBlock) (*abci.ResponseFinalizeBlock, error) {
	start := time.Now()
	defer func() { t.executed.Add(int64(time.Since(start))) }()
	return t.Application.FinalizeBlock(ctx, request)
}

// HoldTransactions keeps transactions out of blocks until release is called, so that a test can fill the mempool. It panics
// on a chain with the classic mempool.
func (n *Node) HoldTransactions() (release func()) { return n.watch.Hold() }

// RestURL is the address of the REST interface, without a trailing slash.
func (n *Node) RestURL() string { return n.rest.url() }

// RPCURL is the address of CometBFT's RPC, without a trailing slash.
func (n *Node) RPCURL() string { return n.rpc.url() }

// ChainID is the chain's name, which signatures contain.
func (n *Node) ChainID() string { return n.chainID }

// Encoding is how the chain writes and reads transactions.
func (n *Node) Encoding() Encoding { return n.app.encoding }

// Stop stops the chain in order: requests, blocks, then the virtual machine and the databases,
// and removes a temporary folder. It returns every failure.
func (n *Node) Stop() error {
	for _, server := range []*httpServer{n.rest, n.rpc} {
		if server != nil {
			server.stop()
		}
	}
	var failures []error
	if n.consensus != nil && n.consensus.IsRunning() {
		failures = append(failures, n.consensus.Stop())
		n.consensus.Wait()
	}
	if n.pool != nil {
		n.pool.Close()
	}
	if n.gateway != nil {
		n.gateway.stop()
	}
	if n.app != nil && n.app.vm != nil {
		failures = append(failures, n.app.vm.Close())
	}
	if n.home != nil {
		failures = append(failures, n.home.close())
	}
	return errors.Join(failures...)
}
