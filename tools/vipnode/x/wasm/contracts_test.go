package wasm_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	wasmkeeper "github.com/CosmWasm/wasmd/x/wasm/keeper"
	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm/wasmtest"
)

func TestCodeIsKept(t *testing.T) {
	_, client := start(t, chain.Options{})
	var code struct {
		Info struct {
			Hash    string `json:"data_hash"`
			Creator string
		} `json:"code_info"`
		Data []byte
	}
	get(t, client, "/code/1", &code)
	sum := sha256.Sum256(wasmtest.Module("pitfalls"))
	if !bytes.Equal(code.Data, wasmtest.Module("pitfalls")) || code.Info.Hash != strings.ToUpper(hex.EncodeToString(sum[:])) ||
		code.Info.Creator != sender.Address.String() {
		t.Errorf("%+v", code.Info)
	}
}

func TestEveryTestAccountExecutes(t *testing.T) {
	_, client := start(t, chain.Options{})
	for i, account := range chain.TestAccounts() {
		succeed(t, client, account, count(account))
		if now := counted(t, client); now != i+1 {
			t.Errorf("%s: %d", account.Address, now)
		}
	}
}

// A hardware wallet signs the message as JSON.
func TestSignedForHardwareWallets(t *testing.T) {
	node, client := start(t, chain.Options{})
	from := chain.Deployer(chain.EthCoinType)
	number, sequence := client.Account(from.Address)
	for i, mode := range chaintest.HardwareModes {
		client.AcceptOnlyUnchanged(chaintest.Signed{
			ChainID: node.ChainID(), Key: from.Key, AccountNumber: number, Sequence: sequence + uint64(i), Gas: chaintest.Gas,
			Mode: mode, Messages: []sdk.Msg{count(from)},
		})
		if now := counted(t, client); now != i+1 {
			t.Errorf("%s: %d", mode, now)
		}
	}
}

func TestAddressFromSalt(t *testing.T) {
	_, client := start(t, chain.Options{})
	succeed(t, client, sender, &wasmtypes.MsgInstantiateContract2{
		Sender: sender.Address.String(), CodeID: 1, Label: "salted", Msg: []byte("{}"), Salt: []byte("salt"),
	})
	sum := sha256.Sum256(wasmtest.Module("pitfalls"))
	built := wasmkeeper.BuildContractAddressPredictable(sum[:], sender.Address, []byte("salt"), nil)
	var contracts struct{ Contracts []string }
	get(t, client, "/code/1/contracts", &contracts)
	if len(contracts.Contracts) != 2 || contracts.Contracts[1] != built.String() {
		t.Errorf("%v, built %s", contracts.Contracts, built)
	}
}

func TestAdmin(t *testing.T) {
	_, client := start(t, chain.Options{})
	other := chain.Operator(chain.EthCoinType)
	migrate := func(admin chain.TestAccount) sdk.Msg {
		return &wasmtypes.MsgMigrateContract{Sender: admin.Address.String(), Contract: first, CodeID: 1, Msg: []byte("{}")}
	}
	refused := func(from chain.TestAccount, message sdk.Msg) {
		t.Helper()
		if result := client.Send(from, message); result.Codespace != "sdk" || result.Code != 4 {
			t.Errorf("%s %d %s", result.Codespace, result.Code, result.Log)
		}
	}
	refused(other, migrate(other))
	succeed(t, client, sender, migrate(sender))
	if counted(t, client) != 1 {
		t.Error("the migration has not run")
	}
	succeed(t, client, sender, &wasmtypes.MsgUpdateAdmin{Sender: sender.Address.String(), NewAdmin: other.Address.String(), Contract: first})
	refused(sender, migrate(sender))
	succeed(t, client, other, migrate(other))
	succeed(t, client, other, &wasmtypes.MsgClearAdmin{Sender: other.Address.String(), Contract: first})
	refused(other, migrate(other))
}

// Codes, contracts and their state are available right after a restart, and a home belongs to its program.
func TestRestart(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	for start := range 3 {
		node, err := chain.Start(context.Background(), chaintest.Fill(t, chain.Options{Home: home, VM: wasm.New()}))
		if err != nil {
			t.Fatal(err)
		}
		client := chaintest.NewClient(t, node.RestURL(), node.ChainID(), node.Encoding())
		if start == 0 {
			succeed(t, client, sender, &wasmtypes.MsgStoreCode{Sender: sender.Address.String(), WASMByteCode: wasmtest.Module("pitfalls")})
			succeed(t, client, sender, &wasmtypes.MsgInstantiateContract{Sender: sender.Address.String(), CodeID: 1, Label: "x", Msg: []byte("{}")})
		}
		if status, body := client.Get("/cosmwasm/wasm/v1/contract/" + first + "/smart/e30="); status != http.StatusOK {
			t.Errorf("start %d: %d %s", start, status, body)
		}
		if now := counted(t, client); now != start {
			t.Errorf("start %d: %d", start, now)
		}
		succeed(t, client, sender, count(sender))
		if err := node.Stop(); err != nil {
			t.Errorf("stop %d: %v", start, err)
		}
	}
}

func TestParameters(t *testing.T) {
	_, client := start(t, chain.Options{})
	message := &wasmtypes.MsgUpdateParams{Authority: sender.Address.String(), Params: wasmtypes.DefaultParams()}
	if result := client.Send(sender, message); result.Code == 0 {
		t.Error("an account holds the authority")
	}
	if result := client.Send(sender, &wasmtypes.MsgPinCodes{Authority: sender.Address.String(), CodeIDs: []uint64{1}}); result.Code == 0 {
		t.Error("an account can pin codes")
	}
}
