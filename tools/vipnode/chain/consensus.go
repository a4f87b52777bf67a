package chain

import (
	"context"
	"fmt"
	"time"

	abcicli "github.com/cometbft/cometbft/abci/client"
	abci "github.com/cometbft/cometbft/abci/types"
	cmtconfig "github.com/cometbft/cometbft/config"
	cmtlog "github.com/cometbft/cometbft/libs/log"
	cmtsync "github.com/cometbft/cometbft/libs/sync"
	"github.com/cometbft/cometbft/node"
	cmttypes "github.com/cometbft/cometbft/types"
)

const (
	// moniker is the name of the only validator.
	moniker = "vipnode"

	// maxTxBytes is the largest transaction that the mempool accepts, as on a rollup's node.
	maxTxBytes = 2_048_576
	// maxRequestBytes bounds the body of a request over REST and RPC. A transaction of maxTxBytes grows by a third in
	// base64, and may come in a batch.
	maxRequestBytes = 16 << 20

	// idleBlockTime is the time between empty blocks, so that the chain's clock advances.
	idleBlockTime = time.Second
	// firstBlockBound is how long the first block may take. It holds the whole initial state.
	firstBlockBound = 60 * time.Second
)

// newConsensus creates a CometBFT node over the state machine, which it calls as machine. Its peer-to-peer port is any free
// port on 127.0.0.1. It does not serve its RPC: Start does, on a port that is already open.
func newConsensus(home *home, app *application, machine abci.Application, options Options, rpcAddress string, logger cmtlog.Logger) (*node.Node, error) {
	config := cmtconfig.DefaultConfig()
	config.SetRoot(home.path)
	config.Moniker = moniker
	config.DBPath = dataFolder
	config.P2P.ListenAddress = "tcp://127.0.0.1:0"
	config.P2P.PexReactor = false
	config.P2P.AddrBook = dataFolder + "/addrbook.json"
	config.Mempool.MaxTxBytes = maxTxBytes
	config.RPC.MaxBodyBytes = maxRequestBytes
	config.RPC.ListenAddress = "tcp://" + rpcAddress
	config.Consensus.CreateEmptyBlocks = true
	if options.NoTxIndex {
		config.TxIndex.Indexer = "null"
	}
	if options.BlockTime > 0 {
		config.Consensus.TimeoutCommit = options.BlockTime
		config.Consensus.SkipTimeoutCommit = false
	} else {
		config.Consensus.CreateEmptyBlocksInterval = idleBlockTime
		config.Consensus.TimeoutCommit = 0
		config.Consensus.SkipTimeoutCommit = true
	}

	consensus, err := node.NewNode(config, home.validator, home.nodeKey(),
		sharedLock{app: machine, running: app.running},
		func() (*cmttypes.GenesisDoc, error) { return home.genesis, nil },
		home.database,
		node.DefaultMetricsProvider(config.Instrumentation),
		logger)
	if err != nil {
		return nil, fmt.Errorf("the chain cannot continue from its last block: %w", err)
	}
	// The address was needed for the node's description; clearing it keeps the node from serving it a second time.
	config.RPC.ListenAddress = ""
	return consensus, nil
}

// sharedLock gives all of CometBFT's connections to the state machine the state machine's lock.
type sharedLock struct {
	app     abci.Application
	running *cmtsync.Mutex
}

func (s sharedLock) NewABCIClient() (abcicli.Client, error) {
	return abcicli.NewLocalClient(s.running, s.app), nil
}

// startConsensus starts to make blocks and returns once the first block can be read.
func startConsensus(ctx context.Context, consensus *node.Node) error {
	firstBlock, err := consensus.EventBus().Subscribe(ctx, "start", cmttypes.EventQueryNewBlock, 8)
	if err != nil {
		return fmt.Errorf("the chain's events cannot be read: %w", err)
	}
	isNew := consensus.BlockStore().Height() == 0
	if err := consensus.Start(); err != nil {
		return fmt.Errorf("the chain cannot start: %w", err)
	}
	if isNew {
		select {
		case <-firstBlock.Out():
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(firstBlockBound):
			return fmt.Errorf("the chain made no block within %s", firstBlockBound)
		}
	}
	return consensus.EventBus().UnsubscribeAll(ctx, "start")
}
