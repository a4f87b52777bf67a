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
	// Mempool is whose mempool the chain behaves like. Empty: MempoolInitia.
	Mempool Mempool
	// Log takes warnings and errors.
	Log io.Writer
	// now is the mempool's clock; nil: the system's.
	now func() time.Time
}

// Mempool names the nodes whose mempool a chain behaves like.
type Mempool string

const (
	// MempoolInitia takes the next sequence of committed state. Later ones need an extension option and may wait behind a
	// gap, as on nodes with initia v1.4.
	MempoolInitia Mempool = "initia"
	// MempoolClassic also takes the sequences that follow those in the mempool, as the SDK and nodes with initia v1.2 do,
	// and fails at the extension option.
	MempoolClassic Mempool = "classic"
)
