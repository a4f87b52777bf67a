package chain

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	cmtlog "github.com/cometbft/cometbft/libs/log"
	"github.com/cometbft/cometbft/libs/pubsub"
	"github.com/cometbft/cometbft/node"
	"github.com/cometbft/cometbft/rpc/core"
	rpcserver "github.com/cometbft/cometbft/rpc/jsonrpc/server"
)

// newEnvironment returns what the RPC routes need.
func newEnvironment(consensus *node.Node) (*core.Environment, error) {
	environment, err := consensus.ConfigureRPC()
	if err != nil {
		return nil, fmt.Errorf("the RPC cannot be made: %w", err)
	}
	return environment, nil
}

// newRPC returns CometBFT's RPC with its websocket, as the node itself would serve it, on our port: the node does not
// report which port it got.
func newRPC(environment *core.Environment, executed *atomic.Int64, logger cmtlog.Logger) http.Handler {
	routes := environment.GetRoutes()
	subscriptions := rpcserver.NewWebsocketManager(routes,
		rpcserver.OnDisconnect(func(remote string) {
			err := environment.EventBus.UnsubscribeAll(context.Background(), remote)
			if err != nil && !errors.Is(err, pubsub.ErrSubscriptionNotFound) {
				logger.Error("the subscriptions of a closed connection cannot be ended", "remote", remote, "err", err)
			}
		}),
		rpcserver.ReadLimit(maxRequestBytes),
		rpcserver.WriteChanCapacity(environment.Config.WebSocketWriteBufferSize))
	subscriptions.SetLogger(logger)

	mux := http.NewServeMux()
	mux.HandleFunc("/websocket", subscriptions.WebsocketHandler)
	// The metric that a node with prometheus = true has of its blocks, in milliseconds.
	mux.HandleFunc("/metrics", func(answer http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(answer, "cometbft_state_block_processing_time_sum %f\n", float64(executed.Load())/1e6)
	})
	rpcserver.RegisterRPCFuncs(mux, routes, logger)
	return rpcserver.RecoverAndLogHandler(mux, logger)
}
