package programtest

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fuzztest"
)

// longestRun is the longest time that a chain works, after the first transaction was seen, before it is killed.
const longestRun = 1500 * time.Millisecond

// Crash is a chain that is killed while it works.
type Crash struct {
	ChainID  string
	Encoding chain.Encoding
	// Crashes is how often it is killed.
	Crashes int
	// Sender sends the result of Message for its next sequence.
	Sender  chain.TestAccount
	Message func(sequence uint64) sdk.Msg
	// Check, if set, checks the effects of the transactions that were seen in a block.
	Check func(client *chaintest.Client, sequences []uint64)
}

// seen is a transaction whose inclusion a client saw.
type seen struct {
	hash     string
	height   int64
	sequence uint64
}

// Run kills the program at random moments and fails if a transaction that was seen in a block is lost, if a
// block changes, or if the chain does not continue.
func (c Crash) Run(t *testing.T) {
	random := rand.New(rand.NewSource(fuzztest.Seed(t)))
	home := filepath.Join(t.TempDir(), "home")
	var included []seen
	var last header
	start := func() (*Process, *chaintest.Client) {
		p := Spawn(t, "start", "--home", home)
		client := chaintest.NewClient(t, p.Ready(t)[1], c.ChainID, c.Encoding)
		c.check(t, client, included, last)
		return p, client
	}
	for crash := range c.Crashes {
		if crash%2 == 0 {
			// Killed while it starts, at first with a home that does not exist yet.
			p := Spawn(t, "start", "--home", home)
			time.Sleep(time.Duration(random.Int63n(int64(400 * time.Millisecond))))
			p.Kill()
		}
		p, client := start()
		waitForBlock(t, client)
		moment := time.Duration(random.Int63n(int64(longestRun)))
		included = append(included, c.work(client, &last, sync.OnceFunc(func() {
			time.AfterFunc(moment, func() { _ = p.command.Process.Kill() })
		}))...)
		p.Kill()
		t.Logf("crash %d: %d transactions seen so far, last block seen %d", crash+1, len(included), last.height)
	}
	p, client := start()
	waitForBlock(t, client)
	if result := client.Send(c.Sender, c.nextMessage(client)); result.Code != 0 || result.Height <= last.height {
		t.Errorf("after block %d: %+v", last.height, result)
	}
	if status := p.End(t, syscall.SIGINT); status != 0 {
		t.Errorf("status %d: %s", status, p.Stderr)
	}
	if len(included) < c.Crashes {
		t.Errorf("only %d transactions were seen: too few for a meaningful test", len(included))
	}
}

// KillFirstStarts kills first starts at random moments and fails if the next start does not make a chain of what is left.
func KillFirstStarts(t *testing.T, starts int) {
	random := rand.New(rand.NewSource(fuzztest.Seed(t)))
	for range starts {
		home := filepath.Join(t.TempDir(), "home")
		p := Spawn(t, "start", "--home", home)
		time.Sleep(time.Duration(random.Int63n(int64(400 * time.Millisecond))))
		p.Kill()
		p = Spawn(t, "start", "--home", home)
		p.Ready(t)
		if status := p.End(t, syscall.SIGTERM); status != 0 {
			t.Fatalf("status %d: %s", status, p.Stderr)
		}
	}
}

// waitForBlock waits until the chain, which may first finish the block in which it was killed, has made another.
func waitForBlock(t *testing.T, client *chaintest.Client) {
	t.Helper()
	begin := int64(0)
	for end := time.Now().Add(chaintest.HangBound); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		now, err := readHeader(client, "latest")
		if err != nil {
			t.Fatal(err)
		}
		if begin == 0 {
			begin = now.height
		}
		if now.height > begin {
			return
		}
	}
	t.Fatalf("no block after %d within %s", begin, chaintest.HangBound)
}

func (c Crash) nextMessage(client *chaintest.Client) sdk.Msg {
	_, sequence := client.Account(c.Sender.Address)
	return c.Message(sequence)
}

// work sends transactions until the node stops, without waiting for one before the next, and returns those that it saw in
// a block. It calls onSeen with each.
func (c Crash) work(client *chaintest.Client, last *header, onSeen func()) []seen {
	sent := make(chan seen, 10_000)
	var included []seen
	var both sync.WaitGroup
	both.Add(1)
	go func() {
		defer both.Done()
		for one := range sent {
			for {
				result, found, err := client.Find(one.hash)
				if err != nil {
					return
				}
				if found {
					one.height = result.Height
					included = append(included, one)
					onSeen()
					break
				}
				time.Sleep(time.Millisecond)
			}
			if newest, err := readHeader(client, "latest"); err == nil {
				*last = newest
			}
		}
	}()
	number, sequence, err := client.TryAccount(c.Sender.Address)
	for ; err == nil; sequence++ {
		var result chaintest.Result
		result, err = client.TryBroadcast(client.Sign(chaintest.Signed{
			ChainID: c.ChainID, Key: c.Sender.Key, AccountNumber: number, Sequence: sequence, Gas: chaintest.Gas,
			Messages: []sdk.Msg{c.Message(sequence)}, Queued: true,
		}))
		if err == nil && result.Code != 0 {
			err = fmt.Errorf("refused: %s", result.Log)
		}
		if err == nil {
			sent <- seen{hash: result.Hash, sequence: sequence}
		}
	}
	close(sent)
	both.Wait()
	return included
}

// check compares what was seen before the node was killed with its current state.
func (c Crash) check(t *testing.T, client *chaintest.Client, included []seen, last header) {
	t.Helper()
	var sequences []uint64
	for _, one := range included {
		result, found, err := client.Find(one.hash)
		if err != nil || !found || result.Height != one.height || result.Code != 0 {
			t.Fatalf("%s was in block %d: %+v %v", one.hash, one.height, result, err)
		}
		sequences = append(sequences, one.sequence)
	}
	if c.Check != nil {
		c.Check(client, sequences)
	}
	if last.height == 0 {
		return
	}
	now, err := readHeader(client, fmt.Sprint(last.height))
	if err != nil || now != last {
		t.Fatalf("block %+v is now %+v, %v", last, now, err)
	}
}

// header identifies a block's state.
type header struct {
	height  int64
	appHash string
	hash    string
}

func readHeader(client *chaintest.Client, height string) (header, error) {
	status, body, err := client.TryGet("/cosmos/base/tendermint/v1beta1/blocks/"+height, 0)
	if err != nil {
		return header{}, err
	}
	var answer struct {
		ID struct {
			Hash string `json:"hash"`
		} `json:"block_id"`
		Block struct {
			Header struct {
				Height  int64  `json:"height,string"`
				AppHash string `json:"app_hash"`
			} `json:"header"`
		} `json:"block"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return header{}, fmt.Errorf("status %d: %s: %w", status, body, err)
	}
	return header{answer.Block.Header.Height, answer.Block.Header.AppHash, answer.ID.Hash}, nil
}
