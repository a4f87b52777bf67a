// Package types holds the extension option of queued transactions, generated from proto/initia/tx/v1.
package types

import (
	"slices"

	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	txtypes "github.com/cosmos/cosmos-sdk/types/tx"
)

// QueuedTxTypeURL names the extension option of a transaction that may wait for earlier sequences.
const QueuedTxTypeURL = "/initia.tx.v1.ExtensionOptionQueuedTx"

// RegisterInterfaces registers the extension option with the codec of transactions.
func RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	registry.RegisterImplementations((*txtypes.TxExtensionOptionI)(nil), &ExtensionOptionQueuedTx{})
}

// IsQueued reports whether the extension options of a transaction allow it to wait.
func IsQueued(options []*codectypes.Any) bool { return slices.ContainsFunc(options, IsQueuedTx) }

// IsQueuedTx reports whether an extension option allows its transaction to wait.
func IsQueuedTx(option *codectypes.Any) bool { return option.GetTypeUrl() == QueuedTxTypeURL }
