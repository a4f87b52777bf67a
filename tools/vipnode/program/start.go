package program

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

const maxChainIDSize = 50

// Start describes the chain that a program starts.
type Start struct {
	// AddFlags adds the program's own flags to `start`; nil if there are none.
	AddFlags func(*pflag.FlagSet)
	// DefaultChainIDs and ReadyLine describe the chain's name and the ready line in the help.
	DefaultChainIDs, ReadyLine string
	// Chain is called once the flags are parsed.
	Chain func() Chain
}

// Chain is what `start` runs.
type Chain struct {
	VM chain.VM
	// ID is the default name of the chain.
	ID string
	// IsL1 means that the chain plays L1.
	IsL1 bool
	// ReadyNote is appended to the ready line, with a leading space, or is "".
	ReadyNote string
}

// startFlags are the flags of `start` as given.
type startFlags struct {
	home      string
	ports     string
	blockTime time.Duration
	chainID   string
	mempool   string
	noTxIndex bool
	bridge    bridgeFlags
	ephemeral bool
}

func (p Program) startCommand() *cobra.Command {
	var flags startFlags
	command := &cobra.Command{
		Use:   "start",
		Short: "Start the chain and run until it is interrupted",
		Long: "Start a chain with one validator on 127.0.0.1 and run until it is interrupted.\n\n" +
			"Once it answers, it prints one line on stdout: " + p.Start.ReadyLine + ".\n" +
			"Warnings go to stderr.\n" +
			"Both public test accounts of the VIP integration guide hold funds, with coin types 60 and 118.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			started := p.Start.Chain()
			options, err := flags.options(started)
			if err != nil {
				return err
			}
			options.Program = p.Name
			return serve(options, started.ReadyNote)
		},
	}
	set := command.Flags()
	set.SortFlags = false
	set.StringVar(&flags.home, "home", "", "folder for keys and state; keeps nothing by default")
	set.StringVar(&flags.ports, "ports", "0,0", "REST and RPC port; 0 is any free port")
	set.DurationVar(&flags.blockTime, "block-time", 0,
		"time between blocks, such as 100ms; by default a block comes as soon as there is a transaction, and every second")
	set.StringVar(&flags.chainID, "chain-id", "", "name of the chain (default "+p.Start.DefaultChainIDs+")")
	set.StringVar(&flags.mempool, "mempool", string(chain.MempoolInitia),
		"initia (initia v1.4): later sequences need an extension option; classic (initia v1.2): they are accepted in order")
	set.BoolVar(&flags.noTxIndex, "no-tx-index", false, "keep no index of transactions: none is found by its hash")
	flags.bridge.add(set)
	if p.Start.AddFlags != nil {
		p.Start.AddFlags(set)
	}
	set.BoolVar(&flags.ephemeral, "ephemeral", false, "keep nothing, the default without --home")
	return command
}

// options returns the chain's options. It fails if flags contradict each other or are invalid.
func (f startFlags) options(started Chain) (chain.Options, error) {
	if f.ephemeral && f.home != "" {
		return chain.Options{}, usageErrorf("--ephemeral keeps nothing and --home keeps everything: give one of them")
	}
	if f.blockTime < 0 {
		return chain.Options{}, usageErrorf("--block-time %s is negative", f.blockTime)
	}
	pool := chain.Mempool(f.mempool)
	if pool != chain.MempoolInitia && pool != chain.MempoolClassic {
		return chain.Options{}, usageErrorf("--mempool %s: give %s or %s", f.mempool, chain.MempoolInitia, chain.MempoolClassic)
	}
	rest, rpc, err := parsePorts(f.ports)
	if err != nil {
		return chain.Options{}, err
	}
	bridge, err := f.bridge.bridge(started.IsL1)
	if err != nil {
		return chain.Options{}, err
	}
	chainID := f.chainID
	if chainID == "" {
		chainID = started.ID
	}
	if len(chainID) > maxChainIDSize {
		return chain.Options{}, usageErrorf("--chain-id has %d bytes, %d are allowed", len(chainID), maxChainIDSize)
	}
	return chain.Options{
		VM:        started.VM,
		ChainID:   chainID,
		Home:      f.home,
		RestPort:  rest,
		RPCPort:   rpc,
		BlockTime: f.blockTime,
		Mempool:   pool,
		NoTxIndex: f.noTxIndex,
		Bridge:    bridge,
		IsL1:      started.IsL1,
		Log:       os.Stderr,
	}, nil
}

// serve runs the chain until the program is interrupted, which is not a failure. A second interrupt exits immediately.
func serve(options chain.Options, note string) error {
	// A block's garbage is many times the heap that stays, and without this room the collector takes half of the node's time. The
	// bytes are never touched, so the system gives no memory for them.
	room := make([]byte, 128<<20)
	defer runtime.KeepAlive(room)
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	node, err := chain.Start(ctx, options)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	fmt.Printf("ready rest=%s rpc=%s chain-id=%s%s\n", node.RestURL(), node.RPCURL(), node.ChainID(), note)
	<-ctx.Done()
	release()
	return node.Stop()
}
