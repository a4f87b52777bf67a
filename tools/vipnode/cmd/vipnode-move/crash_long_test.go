//go:build long

package main

import (
	"bytes"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/program/programtest"
)

// A node killed at any moment keeps every transaction that anybody has seen in a block, and its chain continues.
func TestKilledNodeLosesNoBlock(t *testing.T) {
	encoding, err := chain.NewEncoding(nil)
	if err != nil {
		t.Fatal(err)
	}
	sender := chain.Deployer(chain.EthCoinType)
	recipient := sdk.AccAddress(bytes.Repeat([]byte{0x33}, 20))
	programtest.Crash{
		ChainID: defaultChainID, Encoding: encoding, Crashes: 8, Sender: sender,
		Message: func(uint64) sdk.Msg { return chaintest.Payment(sender.Address, recipient, 1) },
		Check: func(client *chaintest.Client, sequences []uint64) {
			if balance := client.Balance(recipient); balance < int64(len(sequences)) {
				t.Fatalf("%d arrived, %d were seen", balance, len(sequences))
			}
		},
	}.Run(t)
}

// If the first start is killed at any moment, the next start makes a chain of the home that it leaves.
func TestRestartsAfterKilledFirstStart(t *testing.T) { programtest.KillFirstStarts(t, 12) }
