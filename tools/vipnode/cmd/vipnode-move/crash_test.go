package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

const (
	crashes     = 8
	firstStarts = 12
	// longestRun is how long a chain works at most before it is killed.
	longestRun = 1500 * time.Millisecond
)

// seen is a transaction whose inclusion a client saw.
type seen struct {
	hash   string
	height int64
}

// A node that is killed at any moment keeps every transaction that somebody has seen in a block, and its chain goes on.
func TestKilledNodeLosesNoBlock(t *testing.T) {
	random := rand.New(rand.NewSource(crashSeed(t)))
	home := filepath.Join(t.TempDir(), "home")
	encoding, err := chain.NewEncoding(nil)
	if err != nil {
		t.Fatal(err)
	}
	sender := chain.Deployer(chain.EthCoinType)
	recipient := sdk.AccAddress(bytes.Repeat([]byte{0x33}, 20))
	var included []seen
	var last header
	for crash := range crashes {
		p := spawn(t, "start", "--home", home)
		if crash%2 == 0 {
			// Killed while it starts, at first with a home that is not there yet.
			time.Sleep(time.Duration(random.Int63n(int64(400 * time.Millisecond))))
			_ = p.command.Process.Kill()
			_ = p.command.Wait()
			p = spawn(t, "start", "--home", home)
		}
		client := chaintest.NewClient(t, p.ready(t)[1], defaultChainID, encoding)
		check(t, client, included, last)

		kill := time.AfterFunc(time.Duration(random.Int63n(int64(longestRun))), func() { _ = p.command.Process.Kill() })
		included = append(included, work(client, sender, recipient, &last)...)
		kill.Stop()
		_ = p.command.Wait()
		t.Logf("crash %d: %d transactions seen so far, last block seen %d", crash+1, len(included), last.height)
	}
	p := spawn(t, "start", "--home", home)
	client := chaintest.NewClient(t, p.ready(t)[1], defaultChainID, encoding)
	check(t, client, included, last)
	if balance := client.Balance(recipient); balance < int64(len(included)) {
		t.Errorf("%d arrived, %d were seen", balance, len(included))
	}
	if result := client.Send(sender, chaintest.Payment(sender.Address, recipient, 1)); result.Height <= last.height {
		t.Errorf("the next block is %d after %d", result.Height, last.height)
	}
	if status := p.end(t, syscall.SIGINT); status != 0 {
		t.Errorf("status %d: %s", status, p.stderr)
	}
	if len(included) < crashes {
		t.Errorf("only %d transactions were seen: the test shows nothing", len(included))
	}
}

// A first start that is killed at any moment leaves a home that the next start makes a chain of.
func TestKilledFirstStartIsNoEnd(t *testing.T) {
	random := rand.New(rand.NewSource(crashSeed(t)))
	for range firstStarts {
		home := filepath.Join(t.TempDir(), "home")
		p := spawn(t, "start", "--home", home)
		time.Sleep(time.Duration(random.Int63n(int64(400 * time.Millisecond))))
		_ = p.command.Process.Kill()
		_ = p.command.Wait()
		p = spawn(t, "start", "--home", home)
		p.ready(t)
		if status := p.end(t, syscall.SIGTERM); status != 0 {
			t.Fatalf("status %d: %s", status, p.stderr)
		}
	}
}

// work sends payments until the node is gone, without waiting for one before the next, and gives those that it saw in a
// block.
func work(client *chaintest.Client, sender chain.TestAccount, to sdk.AccAddress, last *header) []seen {
	hashes := make(chan string, 10_000)
	var included []seen
	var both sync.WaitGroup
	both.Add(1)
	go func() {
		defer both.Done()
		for hash := range hashes {
			for {
				result, found, err := client.Find(hash)
				if err != nil {
					return
				}
				if found {
					included = append(included, seen{hash, result.Height})
					break
				}
				time.Sleep(time.Millisecond)
			}
			if newest, err := readHeader(client, "latest"); err == nil {
				*last = newest
			}
		}
	}()
	number, sequence, err := client.TryAccount(sender.Address)
	for ; err == nil; sequence++ {
		var result chaintest.Result
		result, err = client.TryBroadcast(client.Sign(chaintest.Signed{
			ChainID: defaultChainID, Key: sender.Key, AccountNumber: number, Sequence: sequence, Gas: chaintest.Gas,
			Messages: []sdk.Msg{chaintest.Payment(sender.Address, to, 1)},
		}))
		if err == nil && result.Code != 0 {
			err = fmt.Errorf("refused: %s", result.Log)
		}
		if err == nil {
			hashes <- result.Hash
		}
	}
	close(hashes)
	both.Wait()
	return included
}

// check compares what was seen before the node was killed with what it holds now.
func check(t *testing.T, client *chaintest.Client, included []seen, last header) {
	t.Helper()
	for _, one := range included {
		result, found, err := client.Find(one.hash)
		if err != nil || !found || result.Height != one.height || result.Code != 0 {
			t.Fatalf("%s was in block %d: %+v %v", one.hash, one.height, result, err)
		}
	}
	if last.height == 0 {
		return
	}
	now, err := readHeader(client, fmt.Sprint(last.height))
	if err != nil || now != last {
		t.Fatalf("block %+v is now %+v, %v", last, now, err)
	}
}

// header is what tells one block's state from another's.
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

// crashSeed is FUZZ_SEED, or a new seed; it is printed.
func crashSeed(t *testing.T) int64 {
	t.Helper()
	seed := time.Now().UnixNano()
	if text := os.Getenv("FUZZ_SEED"); text != "" {
		given, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatalf("FUZZ_SEED: %v", err)
		}
		seed = given
	}
	t.Logf("FUZZ_SEED=%d", seed)
	return seed
}
