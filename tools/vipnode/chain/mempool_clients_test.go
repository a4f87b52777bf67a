package chain_test

import (
	"fmt"
	"math/rand"
	"sync"
	"testing"

	"github.com/cosmos/cosmos-sdk/crypto/keys/secp256k1"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fuzztest"
)

// newAccounts creates accounts with their own keys, sends each a coin in one transaction, and returns them with their numbers.
func newAccounts(s sequences, count int) ([]chain.TestAccount, []uint64) {
	s.t.Helper()
	var accounts []chain.TestAccount
	var payments []sdk.Msg
	for range count {
		key := secp256k1.GenPrivKey()
		accounts = append(accounts, chain.TestAccount{Key: key, Address: sdk.AccAddress(key.PubKey().Address())})
		payments = append(payments, chaintest.Payment(s.sender.Address, accounts[len(accounts)-1].Address, 1_000_000))
	}
	if result := s.client.Send(s.sender, payments...); result.Code != 0 {
		s.t.Fatal(result.Log)
	}
	numbers := make([]uint64, count)
	for i, account := range accounts {
		numbers[i], _ = s.client.Account(account.Address)
	}
	return accounts, numbers
}

func TestMempoolBoundsAllWaitingTransactions(t *testing.T) {
	s := startSequences(t, chain.Options{})
	accounts, numbers := newAccounts(s, 17)
	for i, account := range accounts[:16] {
		s.sender, s.number = account, numbers[i]
		for sequence := range uint64(64) {
			s.take(s.sign(sequence+1, queued))
		}
	}
	s.sender, s.number = accounts[16], numbers[16]
	s.refuse(s.sign(1, queued), 20, "1024 txs are queued, the limit: mempool is full")
	// One included transaction makes room for another.
	s.sender, s.number = accounts[3], numbers[3]
	s.client.Wait(s.take(s.sign(0)))
	s.sender, s.number = accounts[16], numbers[16]
	s.take(s.sign(1, queued))
}

// Many clients send the transactions of many accounts in any order, while blocks are made.
func TestMempoolOfManyClients(t *testing.T) {
	const accountCount, count, clients = 4, 60, 8
	s := startSequences(t, chain.Options{})
	accounts, numbers := newAccounts(s, accountCount)
	type sent struct {
		account, sequence int
		tx                []byte
		hash              string
	}
	var all []*sent
	for i, account := range accounts {
		s.sender, s.number = account, numbers[i]
		for sequence := range count {
			all = append(all, &sent{account: i, sequence: sequence, tx: s.sign(uint64(sequence), queued)})
		}
	}
	rand.New(rand.NewSource(fuzztest.Seed(t))).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })

	next := make(chan *sent)
	failures := make(chan error, len(all))
	var running sync.WaitGroup
	for range clients {
		running.Add(1)
		go func() {
			defer running.Done()
			for one := range next {
				result, err := s.client.TryBroadcast(one.tx)
				if err == nil && result.Code != 0 {
					err = fmt.Errorf("account %d sequence %d: %d %s", one.account, one.sequence, result.Code, result.Log)
				}
				if err != nil {
					failures <- err
				}
				one.hash = result.Hash
			}
		}()
	}
	for _, one := range all {
		next <- one
	}
	close(next)
	running.Wait()
	close(failures)
	for failure := range failures {
		t.Error(failure)
	}
	for _, one := range all {
		if result := s.client.Wait(one.hash); result.Code != 0 {
			t.Errorf("account %d sequence %d: %d %s", one.account, one.sequence, result.Code, result.Log)
		}
	}
	if balance := s.client.Balance(recipient); balance != accountCount*count {
		t.Errorf("balance %d", balance)
	}
}
