package chain

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/cometbft/cometbft/node"
	"github.com/cometbft/cometbft/rpc/client/local"
	"github.com/cometbft/cometbft/rpc/core"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/client/grpc/cmtservice"
	nodeservice "github.com/cosmos/cosmos-sdk/client/grpc/node"
	"github.com/cosmos/cosmos-sdk/codec"
	"github.com/cosmos/cosmos-sdk/server"
	serverconfig "github.com/cosmos/cosmos-sdk/server/config"
	grpctypes "github.com/cosmos/cosmos-sdk/types/grpc"
	authtx "github.com/cosmos/cosmos-sdk/x/auth/tx"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	consensustypes "github.com/cosmos/cosmos-sdk/x/consensus/types"
	gatewayjson "github.com/cosmos/gogogateway"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
)

// maxMessageBytes bounds one gRPC message. It must hold an answer with a whole block of transactions, twice: as bytes
// and decoded.
const maxMessageBytes = 256 << 20

// gateway is the REST interface: HTTP requests become gRPC calls to the state machine, over a connection in memory. Only
// gRPC gives errors the status and the text of a rollup's node.
type gateway struct {
	app     *application
	client  client.Context
	routes  *runtime.ServeMux
	pipe    *bufconn.Listener
	conn    *grpc.ClientConn
	service *grpc.Server
}

func newGateway(app *application, chainID string) (*gateway, error) {
	protoCodec := codec.NewProtoCodec(app.encoding.Registry).GRPCCodec()
	pipe := bufconn.Listen(1 << 20)
	conn, err := grpc.NewClient("passthrough:state-machine",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return pipe.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(protoCodec),
			grpc.MaxCallRecvMsgSize(maxMessageBytes), grpc.MaxCallSendMsgSize(maxMessageBytes)))
	if err != nil {
		return nil, fmt.Errorf("the state machine cannot be reached: %w", err)
	}
	g := &gateway{
		app:  app,
		pipe: pipe,
		conn: conn,
		service: grpc.NewServer(grpc.ForceServerCodec(protoCodec),
			grpc.MaxRecvMsgSize(maxMessageBytes), grpc.MaxSendMsgSize(maxMessageBytes)),
		client: client.Context{}.
			WithChainID(chainID).
			WithCodec(app.encoding.Codec).
			WithInterfaceRegistry(app.encoding.Registry).
			WithTxConfig(app.encoding.Tx).
			WithGRPCClient(conn),
		routes: runtime.NewServeMux(
			runtime.WithMarshalerOption(runtime.MIMEWildcard, &gatewayjson.JSONPb{
				EmitDefaults: true, OrigName: true, AnyResolver: app.encoding.Registry,
			}),
			runtime.WithProtoErrorHandler(runtime.DefaultHTTPProtoErrorHandler),
			runtime.WithIncomingHeaderMatcher(matchHeader),
		),
	}
	if app.vm != nil {
		if err := app.vm.RegisterGatewayRoutes(g.client, g.routes); err != nil {
			g.stop()
			return nil, fmt.Errorf("the %s VM's routes cannot be added: %w", app.vm.Name(), err)
		}
	}
	return g, nil
}

// start adds the services that read blocks and accept transactions, and all routes, and begins to answer.
func (g *gateway) start(consensus *node.Node, environment *core.Environment) error {
	g.client = g.client.WithClient(localClient{local.New(consensus), environment})
	router := g.app.GRPCQueryRouter()
	authtx.RegisterTxService(router, g.client, g.app.simulate, g.app.encoding.Registry)
	cmtservice.RegisterTendermintService(g.client, router, g.app.encoding.Registry, server.NewCometABCIWrapper(g.app).Query)
	nodeservice.RegisterNodeService(g.client, router, *serverconfig.DefaultConfig())

	authtx.RegisterGRPCGatewayRoutes(g.client, g.routes)
	cmtservice.RegisterGRPCGatewayRoutes(g.client, g.routes)
	nodeservice.RegisterGRPCGatewayRoutes(g.client, g.routes)
	ctx := context.Background()
	for _, register := range []func() error{
		func() error {
			return authtypes.RegisterQueryHandlerClient(ctx, g.routes, authtypes.NewQueryClient(g.client))
		},
		func() error {
			return banktypes.RegisterQueryHandlerClient(ctx, g.routes, banktypes.NewQueryClient(g.client))
		},
		func() error {
			return consensustypes.RegisterQueryHandlerClient(ctx, g.routes, consensustypes.NewQueryClient(g.client))
		},
	} {
		if err := register(); err != nil {
			return fmt.Errorf("the REST routes cannot be added: %w", err)
		}
	}

	g.app.RegisterGRPCServer(simulationLock{g.service, g.app.running})
	go func() { _ = g.service.Serve(g.pipe) }()
	return nil
}

func (g *gateway) stop() {
	_ = g.conn.Close()
	g.service.Stop()
	_ = g.pipe.Close()
}

// matchHeader passes the header that requests an earlier height.
func matchHeader(key string) (string, bool) {
	if strings.EqualFold(key, grpctypes.GRPCBlockHeightHeader) {
		return grpctypes.GRPCBlockHeightHeader, true
	}
	return runtime.DefaultHeaderMatcher(key)
}
