//go:build long

package chain_test

import (
	"fmt"
	"strings"
	"testing"

	sdkmath "cosmossdk.io/math"
	sdk "github.com/cosmos/cosmos-sdk/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// A push sends many batches near the mempool's limit at once. What each transaction does is irrelevant here: it pays
// in tens of thousands of denominations that its sender does not have.
func TestManyLargeTransactionsInFlight(t *testing.T) {
	const denominations, count = 85_000, 8
	_, client := chaintest.Start(t, chain.Options{})
	sender := chain.Operator(chain.EthCoinType)
	coins := make(sdk.Coins, denominations)
	for i := range coins {
		coins[i] = sdk.NewCoin(fmt.Sprintf("denom%06d", i), sdkmath.NewInt(1_000_000))
	}
	message := banktypes.NewMsgSend(sender.Address, recipient, coins)
	var hashes []string
	for sequence := range uint64(count) {
		tx := client.Sign(chaintest.Signed{
			ChainID: "vipnode-test-1", Key: sender.Key, AccountNumber: 1, Sequence: sequence, Gas: 400_000_000,
			Messages: []sdk.Msg{message}, Queued: true,
		})
		if len(tx) < 1_900_000 || len(tx) > 2_048_576 {
			t.Fatalf("%d bytes", len(tx))
		}
		checked := client.Broadcast(tx)
		if checked.Code != 0 {
			t.Fatalf("sequence %d: %d %s", sequence, checked.Code, checked.Log)
		}
		hashes = append(hashes, checked.Hash)
	}
	for _, hash := range hashes {
		if result := client.Wait(hash); result.Code != 5 || !strings.Contains(result.Log, "insufficient funds") {
			t.Fatalf("code %d %s", result.Code, result.Log)
		}
	}
}
