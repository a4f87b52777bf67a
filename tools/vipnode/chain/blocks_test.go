package chain_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	sdkmath "cosmossdk.io/math"
	sdk "github.com/cosmos/cosmos-sdk/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// recordedConsensusHash is that of every block recorded from minimove: the hash of its largest block size and block gas.
const recordedConsensusHash = "BICRvH3cKD93v7+R1zxE2ljD34qcvIZ0Bdi389qtoi8="

// block is what a block's header says.
type block struct {
	height        int64
	time          time.Time
	consensusHash string
}

func latestBlock(t *testing.T, client *chaintest.Client) block {
	t.Helper()
	_, body := client.Get("/cosmos/base/tendermint/v1beta1/blocks/latest")
	var answer struct {
		Block struct {
			Header struct {
				Height        int64     `json:"height,string"`
				Time          time.Time `json:"time"`
				ConsensusHash string    `json:"consensus_hash"`
			} `json:"header"`
		} `json:"block"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	header := answer.Block.Header
	return block{header.Height, header.Time, header.ConsensusHash}
}

// blockAfter waits for a number of blocks more.
func blockAfter(t *testing.T, client *chaintest.Client, from block, count int64) block {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if now := latestBlock(t, client); now.height >= from.height+count {
			return now
		}
	}
	t.Fatalf("no block %d", from.height+count)
	return block{}
}

func TestIdleChainHasAClock(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	begin := blockAfter(t, client, latestBlock(t, client), 1)
	end := blockAfter(t, client, begin, 3)
	passed := end.time.Sub(begin.time)
	if passed < 2*time.Second || passed > 10*time.Second {
		t.Errorf("three blocks took %s by the chain's clock", passed)
	}
	if behind := time.Since(end.time); behind > 5*time.Second {
		t.Errorf("the newest block is %s old", behind)
	}
	if begin.consensusHash != recordedConsensusHash {
		t.Errorf("consensus hash %s", begin.consensusHash)
	}
}

func TestBlocksOnAnInterval(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{BlockTime: 100 * time.Millisecond})
	begin := blockAfter(t, client, latestBlock(t, client), 1)
	end := blockAfter(t, client, begin, 10)
	each := end.time.Sub(begin.time) / time.Duration(end.height-begin.height)
	if each < 90*time.Millisecond || each > 500*time.Millisecond {
		t.Errorf("%s from block to block", each)
	}
}

// A push sends batches near the mempool's limit, many at once. What each transaction does is not the point here: it pays
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
			Messages: []sdk.Msg{message},
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
