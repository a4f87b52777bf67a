package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/l1"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
)

const (
	defaultChainID   = "vipnode-move-1"
	defaultL1ChainID = "vipnode-l1-1"
	maxChainIDSize   = 50
)

// startFlags are the flags of `start` as they were given.
type startFlags struct {
	home      string
	ports     string
	blockTime time.Duration
	chainID   string
	l1        bool
	ephemeral bool
}

func newStartCommand() *cobra.Command {
	var flags startFlags
	command := &cobra.Command{
		Use:   "start",
		Short: "Start the chain and run until it is interrupted",
		Long: "Start a chain with one validator on 127.0.0.1 and run until it is interrupted.\n\n" +
			"Once it answers, one line on stdout says where: ready rest=URL rpc=URL chain-id=ID, with --l1 also vip=ADDRESS.\n" +
			"Warnings go to stderr.\n" +
			"Both public test accounts of the VIP integration guide hold funds, with coin types 60 and 118.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			options, err := flags.options()
			if err != nil {
				return err
			}
			return serve(options, flags.readyNote())
		},
	}
	set := command.Flags()
	set.SortFlags = false
	set.StringVar(&flags.home, "home", "", "folder that keeps keys and state; without it nothing is kept")
	set.StringVar(&flags.ports, "ports", "0,0", "REST and RPC port; 0 is any free one")
	set.DurationVar(&flags.blockTime, "block-time", 0,
		"time between blocks, such as 100ms; without it a block comes as soon as there is a transaction, and every second")
	set.StringVar(&flags.chainID, "chain-id", "", "name of the chain (default "+defaultChainID+", with --l1 "+defaultL1ChainID+")")
	set.BoolVar(&flags.l1, "l1", false, "play L1: publish the module vip, which holds the stages")
	set.BoolVar(&flags.ephemeral, "ephemeral", false, "keep nothing, which is also what happens without --home")
	return command
}

// options are the chain's options. It fails when flags contradict each other or cannot be read.
func (f startFlags) options() (chain.Options, error) {
	if f.ephemeral && f.home != "" {
		return chain.Options{}, usageErrorf("--ephemeral keeps nothing and --home keeps everything: give one of them")
	}
	if f.blockTime < 0 {
		return chain.Options{}, usageErrorf("--block-time %s is negative", f.blockTime)
	}
	rest, rpc, err := parsePorts(f.ports)
	if err != nil {
		return chain.Options{}, err
	}
	chainID := f.chainID
	if chainID == "" {
		chainID = defaultChainID
		if f.l1 {
			chainID = defaultL1ChainID
		}
	}
	if len(chainID) > maxChainIDSize {
		return chain.Options{}, usageErrorf("--chain-id has %d bytes, %d are allowed", len(chainID), maxChainIDSize)
	}
	return chain.Options{
		Program:   program,
		VM:        move.New(f.genesisModules()...),
		ChainID:   chainID,
		Home:      f.home,
		RestPort:  rest,
		RPCPort:   rpc,
		BlockTime: f.blockTime,
		Log:       os.Stderr,
	}, nil
}

// genesisModules are what the chain holds from its start beside the standard library.
func (f startFlags) genesisModules() []move.GenesisModules {
	if !f.l1 {
		return nil
	}
	return []move.GenesisModules{l1.Genesis()}
}

// readyNote is what the line that tells where the chain answers says besides.
func (f startFlags) readyNote() string {
	if !f.l1 {
		return ""
	}
	return " vip=" + l1.Address()
}

// parsePorts reads REST,RPC. A port that is left out is 0.
func parsePorts(text string) (rest, rpc int, err error) {
	parts := strings.Split(text, ",")
	if len(parts) > 2 {
		return 0, 0, usageErrorf("--ports %s: give the REST port and the RPC port, such as 1317,26657", text)
	}
	var ports [2]int
	for i, part := range parts {
		if part == "" {
			continue
		}
		port, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, 0, usageErrorf("--ports %s: %q is no port number from 0 to 65535", text, part)
		}
		ports[i] = int(port)
	}
	if ports[0] != 0 && ports[0] == ports[1] {
		return 0, 0, usageErrorf("--ports %s: REST and RPC need two different ports", text)
	}
	return ports[0], ports[1], nil
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
