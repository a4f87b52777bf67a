package chain_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// recordedConsensusHash is in every block recorded from minimove: the hash of its maximum block size and block gas.
const recordedConsensusHash = "BICRvH3cKD93v7+R1zxE2ljD34qcvIZ0Bdi389qtoi8="

// block contains the fields of a block's header.
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

// blockAfter waits for this many more blocks.
func blockAfter(t *testing.T, client *chaintest.Client, from block, count int64) block {
	t.Helper()
	for end := time.Now().Add(chaintest.HangBound); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
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
	// One block per second: never more often, and later on a busy machine.
	if passed < 2*time.Second {
		t.Errorf("three blocks took %s by the chain's clock", passed)
	}
	if ahead := time.Until(end.time); ahead > 0 {
		t.Errorf("the newest block's time is %s ahead", ahead)
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
	t.Logf("%s from block to block", each)
	if each < 90*time.Millisecond {
		t.Errorf("%s from block to block", each)
	}
}
