package wasm_test

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm"
	"github.com/vipscore/vipscore/tools/vipnode/x/wasm/wasmtest"
)

// After damage to files in a home, the contract fails or is compiled again, and the chain keeps running.
func TestDamagedFiles(t *testing.T) {
	for _, one := range []struct {
		name, folder string
		damage       func(path string) error
		answers      bool
	}{
		{"compiled code is missing", "modules", os.Remove, true},
		{"compiled code is empty", "modules", func(path string) error { return os.Truncate(path, 0) }, false},
		{"compiled code is cut", "modules", func(path string) error { return os.Truncate(path, 100) }, false},
		{"compiled code is something else", "modules", overwrite, false},
	} {
		t.Run(one.name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			sender := chain.Deployer(chain.CosmosCoinType)
			node, err := chain.Start(context.Background(), chaintest.Fill(t, chain.Options{Home: home, VM: wasm.New()}))
			if err != nil {
				t.Fatal(err)
			}
			client := chaintest.NewClient(t, node.RestURL(), node.ChainID(), node.Encoding())
			client.Send(sender, &wasmtypes.MsgStoreCode{Sender: sender.Address.String(), WASMByteCode: wasmtest.Module("pitfalls")})
			client.Send(sender, &wasmtypes.MsgInstantiateContract{Sender: sender.Address.String(), CodeID: 1, Label: "x", Msg: []byte("{}")})
			if err := node.Stop(); err != nil {
				t.Fatal(err)
			}
			damageAll(t, home, one.folder, one.damage)

			_, client = chaintest.Start(t, chain.Options{Home: home, VM: wasm.New()})
			status, body := client.Get("/cosmwasm/wasm/v1/contract/" + contract + "/smart/e30=")
			if (status == http.StatusOK) != one.answers {
				t.Errorf("%d %s", status, body)
			}
			if result := client.Send(sender, chaintest.Payment(sender.Address, sender.Address, 1)); result.Code != 0 {
				t.Errorf("%+v", result)
			}
		})
	}
}

func overwrite(path string) error {
	return os.WriteFile(path, []byte(strings.Repeat("no compiled code ", 1000)), 0o600)
}

// damageAll damages every file in the folders of a home with this name.
func damageAll(t *testing.T, home, folder string, damage func(path string) error) {
	t.Helper()
	damaged := 0
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(path, "/"+folder+"/") {
			return err
		}
		damaged++
		return damage(path)
	})
	if err != nil || damaged == 0 {
		t.Fatalf("%d files damaged: %v", damaged, err)
	}
}
