package mempool_test

import (
	"context"
	"fmt"
	"math/rand"
	"sync"
	"testing"
	"time"

	abcicli "github.com/cometbft/cometbft/abci/client"
	abci "github.com/cometbft/cometbft/abci/types"
	cmtconfig "github.com/cometbft/cometbft/config"
	cmtsync "github.com/cometbft/cometbft/libs/sync"
	cometmempool "github.com/cometbft/cometbft/mempool"
	"github.com/cometbft/cometbft/proxy"
	cmttypes "github.com/cometbft/cometbft/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/mempool"
	"github.com/vipscore/vipscore/tools/vipnode/test/fuzztest"
)

// counters is a state machine with accounts named by one letter, each of which counts its transactions, such as "a 7".
type counters struct {
	abci.BaseApplication
	running *cmtsync.Mutex
	next    map[string]uint64
}

func order(tx cmttypes.Tx) (sender sdk.AccAddress, sequence uint64, ok bool) {
	var name string
	_, err := fmt.Sscanf(string(tx), "%s %d", &name, &sequence)
	return sdk.AccAddress(name), sequence, err == nil
}

func (c *counters) CheckTx(_ context.Context, request *abci.RequestCheckTx) (*abci.ResponseCheckTx, error) {
	sender, sequence, ok := order(request.Tx)
	if !ok || sequence < c.next[string(sender)] {
		return &abci.ResponseCheckTx{Code: 1, Log: "stale"}, nil
	}
	return &abci.ResponseCheckTx{}, nil
}

func (c *counters) FinalizeBlock(_ context.Context, request *abci.RequestFinalizeBlock) (*abci.ResponseFinalizeBlock, error) {
	response := &abci.ResponseFinalizeBlock{}
	for _, tx := range request.Txs {
		sender, sequence, _ := order(tx)
		result := &abci.ExecTxResult{}
		if c.next[string(sender)] == sequence {
			c.next[string(sender)]++
		} else {
			result.Code = 1
		}
		response.TxResults = append(response.TxResults, result)
	}
	return response, nil
}

// bench is a pool over CometBFT's own mempool and the counters.
type bench struct {
	t      *testing.T
	app    *counters
	comet  *cometmempool.CListMempool
	pool   *mempool.Pool
	watch  *mempool.Watch
	client abcicli.Client
	height int64
}

// newBench starts a pool in front of a mempool of this many transactions.
func newBench(t *testing.T, size int) *bench {
	t.Helper()
	config := cmtconfig.TestConfig().Mempool
	config.Size = size
	app := &counters{running: new(cmtsync.Mutex), next: map[string]uint64{}}
	watch := mempool.NewWatch(app)
	client := abcicli.NewLocalClient(app.running, watch)
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	connection := proxy.NewAppConnMempool(client, proxy.NopMetrics())
	comet := cometmempool.NewCListMempool(config, connection, 0)
	pool := mempool.NewPool(comet, watch, mempool.Chain{
		Order: order,
		Check: func(tx cmttypes.Tx) (*abci.ResponseCheckTx, error) {
			return connection.CheckTx(context.Background(), &abci.RequestCheckTx{Tx: tx})
		},
		Sequence: func(sender sdk.AccAddress) (uint64, bool) {
			app.running.Lock()
			defer app.running.Unlock()
			return app.next[string(sender)], true
		},
		MaxTxBytes: 100, Now: time.Now,
	})
	t.Cleanup(func() {
		pool.Close()
		if err := client.Stop(); err != nil {
			t.Error(err)
		}
	})
	return &bench{t: t, app: app, comet: comet, pool: pool, watch: watch, client: client}
}

// hangBound is how long a test waits for anything, as in chaintest.
const hangBound = 10 * time.Minute

// blockBytes is room for about 15 transactions.
const blockBytes = 100

// makeBlock makes a block from CometBFT's mempool, as CometBFT does, and returns the codes of its transactions.
func (b *bench) makeBlock() (txs []cmttypes.Tx, codes []uint32) {
	b.t.Helper()
	ctx := context.Background()
	reaped := b.comet.ReapMaxBytesMaxGas(blockBytes, -1)
	proposal, err := b.client.PrepareProposal(ctx, &abci.RequestPrepareProposal{Txs: reaped.ToSliceOfBytes(), MaxTxBytes: blockBytes})
	if err != nil {
		b.t.Fatal(err)
	}
	result, err := b.client.FinalizeBlock(ctx, &abci.RequestFinalizeBlock{Txs: proposal.Txs})
	if err != nil {
		b.t.Fatal(err)
	}
	b.comet.Lock()
	defer b.comet.Unlock()
	if _, err := b.client.Commit(ctx, &abci.RequestCommit{}); err != nil {
		b.t.Fatal(err)
	}
	b.height++
	if err := b.comet.Update(b.height, cmttypes.ToTxs(proposal.Txs), result.TxResults, nil, nil); err != nil {
		b.t.Fatal(err)
	}
	for _, one := range result.TxResults {
		codes = append(codes, one.Code)
	}
	return cmttypes.ToTxs(proposal.Txs), codes
}

func (b *bench) send(tx string) (response *abci.ResponseCheckTx, err error) {
	err = b.pool.CheckTx(cmttypes.Tx(tx), func(answer *abci.ResponseCheckTx) { response = answer }, cometmempool.TxInfo{})
	return response, err
}

// Many clients, many blocks, any order: every transaction gets into a block, and none out of turn. Blocks are small enough
// to split chains of transactions.
func TestPoolOfManyClients(t *testing.T) {
	const accounts, count, clients = 5, 60, 8
	b := newBench(t, 1000)
	var txs []string
	for account := range accounts {
		for sequence := range count {
			txs = append(txs, fmt.Sprintf("%c %d", 'a'+account, sequence))
		}
	}
	rand.New(rand.NewSource(fuzztest.Seed(t))).Shuffle(len(txs), func(i, j int) { txs[i], txs[j] = txs[j], txs[i] })
	next := make(chan string)
	var running sync.WaitGroup
	for range clients {
		running.Add(1)
		go func() {
			defer running.Done()
			for tx := range next {
				if response, err := b.send(tx); err != nil || response.Code != 0 {
					t.Errorf("%s: %v %v", tx, response, err)
				}
			}
		}()
	}
	go func() {
		for _, tx := range txs {
			next <- tx
		}
		close(next)
	}()
	included := 0
	for end := time.Now().Add(hangBound); included < len(txs) && time.Now().Before(end); {
		block, codes := b.makeBlock()
		for i, code := range codes {
			if code != 0 {
				t.Errorf("%s out of turn", block[i])
			}
		}
		included += len(block)
	}
	running.Wait()
	if included != len(txs) {
		t.Fatalf("%d of %d transactions are in blocks", included, len(txs))
	}
}

// A proposal made while a transaction's followers are still on their way includes them anyway, as far as they fit.
func TestProposalsAreCompleted(t *testing.T) {
	b := newBench(t, 1000)
	for _, tx := range []string{"a 1", "a 2", "a 3"} {
		if _, err := b.send(tx); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.send("a 0"); err != nil {
		t.Fatal(err)
	}
	size := cmttypes.ComputeProtoSizeForTxs([]cmttypes.Tx{cmttypes.Tx("a 0")})
	for fitting := int64(1); fitting <= 4; fitting++ {
		proposal, err := b.client.PrepareProposal(context.Background(),
			&abci.RequestPrepareProposal{Txs: [][]byte{[]byte("a 0")}, MaxTxBytes: fitting*size + 1})
		if err != nil || int64(len(proposal.Txs)) != fitting {
			t.Errorf("room for %d: %s %v", fitting, proposal.GetTxs(), err)
		}
	}
}

// CometBFT selects a proposal's transactions before it asks for the proposal. One that was selected before the release may
// lack transactions that were sent before the release, too.
func TestReleasedTransactionsAreInOneBlock(t *testing.T) {
	b := newBench(t, 1000)
	release := b.watch.Hold()
	propose := func(selected ...string) int {
		t.Helper()
		request := &abci.RequestPrepareProposal{MaxTxBytes: blockBytes}
		for _, tx := range selected {
			request.Txs = append(request.Txs, []byte(tx))
		}
		proposal, err := b.client.PrepareProposal(context.Background(), request)
		if err != nil {
			t.Fatal(err)
		}
		return len(proposal.Txs)
	}
	if included := propose("a 0"); included != 0 {
		t.Errorf("held: %d transactions", included)
	}
	release()
	if included := propose("a 0"); included != 0 {
		t.Errorf("selected before the release: %d transactions", included)
	}
	if included := propose("a 0", "a 1"); included != 2 {
		t.Errorf("selected after the release: %d transactions", included)
	}
	release()
	if included := propose("a 2"); included != 1 {
		t.Errorf("released twice: %d transactions", included)
	}
}

// Transactions that do not fit into CometBFT's mempool wait until blocks make room.
func TestPromotionWaitsForRoom(t *testing.T) {
	const count = 30
	b := newBench(t, 100)
	b.fill(t)
	for sequence := count - 1; sequence > 0; sequence-- {
		if response, err := b.send(fmt.Sprintf("a %d", sequence)); err != nil || response.Code != 0 {
			t.Fatalf("%v %v", response, err)
		}
	}
	b.makeBlock()
	if response, err := b.send("a 0"); err != nil || response.Code != 0 {
		t.Fatalf("%v %v", response, err)
	}
	// A block of the current transactions, then blocks with those that found room after the previous block.
	for end := time.Now().Add(hangBound); time.Now().Before(end); {
		b.makeBlock()
		b.app.running.Lock()
		done := b.app.next["a"] == count
		b.app.running.Unlock()
		if done {
			return
		}
	}
	t.Fatalf("the waiting transactions are not in a block")
}

// fill sends enough transactions of another account to fill CometBFT's mempool.
func (b *bench) fill(t *testing.T) {
	t.Helper()
	for sequence := 0; ; sequence++ {
		if _, err := b.send(fmt.Sprintf("z %d", sequence)); err != nil {
			if sequence != 100 {
				t.Fatal(err)
			}
			return
		}
	}
}
