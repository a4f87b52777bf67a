package chain_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

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

// slowBlock is a virtual machine that does something while the next block is executed.
type slowBlock struct {
	expiry
	during atomic.Pointer[func()]
}

func (s *slowBlock) EndBlock(sdk.Context) error {
	if during := s.during.Swap(nil); during != nil {
		(*during)()
	}
	return nil
}

// A broadcast waits for the state machine's lock, which a block holds while it is executed, as on a rollup's node.
func TestBroadcastWaitsForABlock(t *testing.T) {
	for _, pool := range []chain.Mempool{chain.MempoolInitia, chain.MempoolClassic} {
		vm := &slowBlock{}
		s := startSequences(t, chain.Options{VM: vm, Mempool: pool})
		tx := s.sign(0)
		var isOver atomic.Bool
		waited := make(chan bool, 1)
		during := func() {
			go func() {
				_, err := s.client.TryBroadcast(tx)
				waited <- err == nil && isOver.Load()
			}()
			// Other requests are answered meanwhile.
			for range 50 {
				_, _, _ = s.client.TryGet("/cosmos/base/tendermint/v1beta1/blocks/latest", 0)
			}
			isOver.Store(true)
		}
		vm.during.Store(&during)
		if !<-waited {
			t.Errorf("%s: answered during the block", pool)
		}
	}
}

func TestMetricsOfBlocks(t *testing.T) {
	node, client := chaintest.Start(t, chain.Options{})
	blockAfter(t, client, latestBlock(t, client), 1)
	response, err := http.Get(node.RPCURL() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var milliseconds float64
	_, err = fmt.Fscanf(response.Body, "cometbft_state_block_processing_time_sum %f\n", &milliseconds)
	if err != nil || milliseconds <= 0 {
		t.Errorf("%f ms, %v", milliseconds, err)
	}
}

// Without an index, a transaction is in its block and nobody finds it by its hash.
func TestNoIndexOfTransactions(t *testing.T) {
	s := startSequences(t, chain.Options{NoTxIndex: true})
	hash := s.take(s.sign(0))
	for end := time.Now().Add(chaintest.HangBound); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if _, sequence := s.client.Account(s.sender.Address); sequence == 1 {
			break
		}
	}
	const message = "transaction indexing is disabled"
	status, body := s.client.Get("/cosmos/tx/v1beta1/txs/" + hash)
	if status != http.StatusInternalServerError || !strings.Contains(string(body), message) {
		t.Errorf("REST: %d %s", status, body)
	}
	if _, answer := s.rpc("tx", fmt.Sprintf(`{"hash":%q}`, base64.StdEncoding.EncodeToString([]byte(hash)))); !strings.Contains(answer, message) {
		t.Errorf("RPC: %s", answer)
	}
	if _, answer := s.rpc("status", "{}"); !strings.Contains(answer, `"tx_index":"off"`) {
		t.Errorf("status: %s", answer)
	}
}

// openIterator is a virtual machine that keeps an iterator over its store open for some blocks, as a long query does.
type openIterator struct {
	expiry
	key  *storetypes.KVStoreKey
	open storetypes.Iterator
}

func (*openIterator) StoreNames() []string { return []string{"rows"} }

func (o *openIterator) Open(base chain.Base) error {
	o.key = base.Keys["rows"]
	return nil
}

// More rows than a database reads ahead for an iterator.
func (o *openIterator) InitGenesis(ctx sdk.Context) error {
	for row := range 1_000 {
		ctx.KVStore(o.key).Set(fmt.Appendf(nil, "%04d", row), []byte{1})
	}
	return nil
}

func (o *openIterator) EndBlock(ctx sdk.Context) error {
	switch height := ctx.BlockHeight(); {
	case height == 3:
		o.open = ctx.MultiStore().GetKVStore(o.key).Iterator(nil, nil)
	case height == 6:
		return o.open.Close()
	}
	return nil
}

// A query that reads row after row of a temporary chain does not stop the chain.
func TestBlocksWhileAQueryReads(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{VM: &openIterator{}, BlockTime: 10 * time.Millisecond})
	blockAfter(t, client, block{}, 8)
}
