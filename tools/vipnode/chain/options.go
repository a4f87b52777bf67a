package chain

import (
	"io"
	"time"
)

// Options say which chain to start and where it answers.
type Options struct {
	// Program is the name of the program, as node_info and abci_info give it.
	Program string
	// VM is the virtual machine, or nil for a chain that has accounts and bank only.
	VM VM
	// ChainID names the chain that signatures are made for, 1 to 50 bytes.
	ChainID string
	// Home is the folder that keeps keys and state. Empty: a temporary folder that Stop removes, and state in memory.
	Home string
	// RestPort and RPCPort are ports on 127.0.0.1; 0 is any free one.
	RestPort, RPCPort int
	// BlockTime is the time from one block to the next. 0: a block as soon as there is a transaction, and one every
	// second without.
	BlockTime time.Duration
	// Log takes warnings and errors.
	Log io.Writer
}
