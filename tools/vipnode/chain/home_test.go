package chain_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cosmossdk.io/log"
	"cosmossdk.io/store/metrics"
	"cosmossdk.io/store/rootmulti"
	storetypes "cosmossdk.io/store/types"
	dbm "github.com/cosmos/cosmos-db"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

func TestRestartContinues(t *testing.T) {
	options := chain.Options{Home: filepath.Join(t.TempDir(), "new", "home")}
	sender := chain.Deployer(chain.EthCoinType)
	var last chaintest.Result
	for start := int64(0); start < 3; start++ {
		node, err := chain.Start(context.Background(), chaintest.Fill(t, options))
		if err != nil {
			t.Fatal(err)
		}
		client := chaintest.NewClient(t, node.RestURL(), node.ChainID(), node.Encoding())
		if balance := client.Balance(recipient); balance != start {
			t.Errorf("start %d: balance %d", start, balance)
		}
		if start > 0 {
			if kept, found, err := client.Find(last.Hash); !found || kept.Height != last.Height {
				t.Errorf("start %d: %+v %v", start, kept, err)
			}
		}
		result := client.Send(sender, chaintest.Payment(sender.Address, recipient, 1))
		if result.Height <= last.Height {
			t.Errorf("start %d: height %d after %d", start, result.Height, last.Height)
		}
		last = result
		if err := node.Stop(); err != nil {
			t.Errorf("stop %d: %v", start, err)
		}
		// Files that CometBFT leaves behind if it is killed while it writes the validator's state.
		torn := filepath.Join(options.Home, "data", "write-file-atomic-1")
		if err := os.WriteFile(torn, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A restarted chain accepts and simulates transactions before it has made a block, also from accounts with a number other
// than 0.
func TestRestartWorksBeforeItsNextBlock(t *testing.T) {
	options := chain.Options{Home: filepath.Join(t.TempDir(), "home")}
	first, err := chain.Start(context.Background(), chaintest.Fill(t, options))
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	options.BlockTime = time.Hour
	_, client := chaintest.Start(t, options)
	sender := chain.Operator(chain.CosmosCoinType)
	tx := client.Transaction(sender, chaintest.Payment(sender.Address, recipient, 1))
	if status, body := client.Post("/cosmos/tx/v1beta1/simulate", map[string]any{"tx_bytes": tx}); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	if result := client.Broadcast(tx); result.Code != 0 {
		t.Errorf("%s %d %s", result.Codespace, result.Code, result.Log)
	}
}

func TestHomeIsRefused(t *testing.T) {
	home := t.TempDir()
	refused := func(options chain.Options, text string) {
		t.Helper()
		node, err := chain.Start(context.Background(), chaintest.Fill(t, options))
		if err == nil {
			_ = node.Stop()
			t.Fatalf("started; want %q", text)
		}
		if !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q; want one line with %q", err, text)
		}
	}
	node, err := chain.Start(context.Background(), chaintest.Fill(t, chain.Options{Home: home}))
	if err != nil {
		t.Fatal(err)
	}
	refused(chain.Options{Home: home}, "is in use by another running node")
	if err := node.Stop(); err != nil {
		t.Fatal(err)
	}
	refused(chain.Options{Home: home, ChainID: "other-1"}, "holds chain vipnode-test-1, not other-1")
	refused(chain.Options{Home: home, Program: "other"}, "holds a chain of vipnode-test, not of other")

	if err := os.Remove(filepath.Join(home, "data", "priv_validator_state.json")); err != nil {
		t.Fatal(err)
	}
	refused(chain.Options{Home: home}, "holds a chain without its validator")

	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(chain.Options{Home: foreign}, "it holds notes.txt")
	refused(chain.Options{Home: filepath.Join(foreign, "notes.txt")}, "cannot be read as a folder")
}

func TestPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, options := range []chain.Options{{RestPort: port}, {RPCPort: port}} {
		node, err := chain.Start(context.Background(), chaintest.Fill(t, options))
		if err == nil {
			_ = node.Stop()
			t.Fatal("started")
		}
		if !strings.Contains(err.Error(), "is in use by another program") {
			t.Errorf("%v", err)
		}
	}
	if left, _ := os.ReadDir(temporary); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	node, err := chain.Start(context.Background(), chaintest.Fill(t, chain.Options{ChainID: "stopped-1"}))
	if err != nil {
		t.Fatal(err)
	}
	if inUse, _ := os.ReadDir(temporary); len(inUse) != 1 {
		t.Errorf("while it runs: %v", inUse)
	}
	if err := node.Stop(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(temporary); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	// Another program may have opened the port in the meantime.
	client := chaintest.NewClient(t, node.RestURL(), node.ChainID(), node.Encoding())
	if _, body, err := client.TryGet("/cosmos/base/tendermint/v1beta1/node_info", 0); err == nil && bytes.Contains(body, []byte(node.ChainID())) {
		t.Error("the port still answers")
	}
}

// Restores the files that a node leaves behind if it is killed while it creates its databases.
func TestHalfMadeDatabaseIsRecreated(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"application", "blockstore", "state", "tx_index"} {
		folder := filepath.Join(home, "data", name+".db")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "MANIFEST-000000"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, client := chaintest.Start(t, chain.Options{Home: home})
	sender := chain.Deployer(chain.EthCoinType)
	if result := client.Send(sender, chaintest.Payment(sender.Address, recipient, 1)); result.Code != 0 {
		t.Fatal(result.Log)
	}
}

// Restores the state that a node leaves behind if it is killed while it writes its first block: a store with the initial state, and no block.
func TestHalfWrittenFirstBlockIsRewritten(t *testing.T) {
	home := t.TempDir()
	database, err := dbm.NewGoLevelDB("application", filepath.Join(home, "data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	store := rootmulti.NewStore(database, log.NewNopLogger(), metrics.NewNoOpMetrics())
	key := storetypes.NewKVStoreKey("acc")
	store.MountStoreWithDB(key, storetypes.StoreTypeIAVL, nil)
	if err := store.LoadLatestVersion(); err != nil {
		t.Fatal(err)
	}
	// The auth module's count of accounts. Genesis would continue from it.
	store.GetKVStore(key).Set([]byte("globalAccountNumber"), []byte{8, 99})
	// Only the store: the multistore's Commit would write the block as well.
	store.GetCommitKVStore(key).Commit()
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}

	_, client := chaintest.Start(t, chain.Options{Home: home})
	if number, _ := client.Account(chain.Deployer(chain.EthCoinType).Address); number != 0 {
		t.Fatalf("the first account has number %d", number)
	}
}
