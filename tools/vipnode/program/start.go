package program

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

const maxChainIDSize = 50

// Start says which chain a program starts.
type Start struct {
	// AddFlags adds the program's own flags to `start`; nil without any.
	AddFlags func(*pflag.FlagSet)
	// DefaultChainIDs and ReadyLine say in the help how the chain is named and what the ready line is.
	DefaultChainIDs, ReadyLine string
	// Chain is asked once the flags are read.
	Chain func() Chain
}

// Chain is what `start` runs.
type Chain struct {
	VM chain.VM
	// ID is the chain's name unless another is given.
	ID string
	// ReadyNote is what the line that tells where the chain answers says besides, with a space before, or nothing.
	ReadyNote string
}

// startFlags are the flags of `start` as they were given.
type startFlags struct {
	home      string
	ports     string
	blockTime time.Duration
	chainID   string
	mempool   string
	ephemeral bool
}

func (p Program) startCommand() *cobra.Command {
	var flags startFlags
	command := &cobra.Command{
		Use:   "start",
		Short: "Start the chain and run until it is interrupted",
		Long: "Start a chain with one validator on 127.0.0.1 and run until it is interrupted.\n\n" +
			"Once it answers, one line on stdout says where: " + p.Start.ReadyLine + ".\n" +
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
	set.StringVar(&flags.home, "home", "", "folder that keeps keys and state; without it nothing is kept")
	set.StringVar(&flags.ports, "ports", "0,0", "REST and RPC port; 0 is any free one")
	set.DurationVar(&flags.blockTime, "block-time", 0,
		"time between blocks, such as 100ms; without it a block comes as soon as there is a transaction, and every second")
	set.StringVar(&flags.chainID, "chain-id", "", "name of the chain (default "+p.Start.DefaultChainIDs+")")
	set.StringVar(&flags.mempool, "mempool", string(chain.MempoolInitia),
		"initia (initia v1.4): later sequences need an extension option; classic (initia v1.2): they are taken in order")
	if p.Start.AddFlags != nil {
		p.Start.AddFlags(set)
	}
	set.BoolVar(&flags.ephemeral, "ephemeral", false, "keep nothing, which is also what happens without --home")
	return command
}

// options are the chain's options. It fails when flags contradict each other or cannot be read.
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
		Log:       os.Stderr,
	}, nil
}

// serve runs the chain until the program is interrupted, which is no failure. A second interrupt ends the program at once.
func serve(options chain.Options, note string) error {
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
