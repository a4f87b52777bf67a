package chain

import (
	"io"
	"time"
)

// Options select the chain to start and its ports.
type Options struct {
	// Program is the name of the program, as node_info and abci_info return it.
	Program string
	// VM is the virtual machine, or nil for a chain with only accounts and bank.
	VM VM
	// ChainID is the name that signatures contain, 1 to 50 bytes.
	ChainID string
	// Home is the folder for keys and state. Default: a temporary folder that Stop removes.
	Home string
	// RestPort and RPCPort are ports on 127.0.0.1; 0 is any free port.
	RestPort, RPCPort int
	// BlockTime is the time between blocks. 0: a block as soon as there is a transaction, and one every
	// second otherwise.
	BlockTime time.Duration
	// Mempool selects the mempool to behave like. Default: MempoolInitia.
	Mempool Mempool
	// NoTxIndex keeps no index of transactions, as `indexer = "null"` in a node's config.toml.
	NoTxIndex bool
	// Bridge is the rollup's bridge on L1. Default: none, as on a rollup before its executor has set one.
	Bridge *Bridge
	// IsL1 means that the chain plays L1, which has no bridge to an L1.
	IsL1 bool
	// Log receives warnings and errors.
	Log io.Writer
	// now is the mempool's clock. Default: the system's.
	now func() time.Time
}

// Mempool names the kind of node whose mempool the chain imitates.
type Mempool string

const (
	// MempoolInitia accepts the next sequence of committed state. Later sequences need an extension option and may wait
	// behind a gap, as on nodes with initia v1.4.
	MempoolInitia Mempool = "initia"
	// MempoolClassic also accepts the sequences that follow those in the mempool, as the SDK and nodes with initia v1.2 do,
	// and fails at the extension option.
	MempoolClassic Mempool = "classic"
)
