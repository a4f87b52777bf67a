package l1

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// The account and the refusals are recorded from a real L1 (bridge 1).
func TestBridges(t *testing.T) {
	_, started := chaintest.Start(t, chain.Options{VM: New(), IsL1: true})
	client := l1Client{started, t}
	const first = "init1raxlej4cyxhwd4mxstcycpj7lwpzmsyfjn29nhaycv3djr8gfv0qjyregt"
	var bridge struct {
		ID      string         `json:"bridge_id"`
		Address string         `json:"bridge_addr"`
		Config  map[string]any `json:"bridge_config"`
	}
	client.get("/opinit/ophost/v1/bridges/1", &bridge)
	if bridge.ID != "1" || bridge.Address != first || bridge.Config == nil {
		t.Errorf("%+v", bridge)
	}
	var account struct {
		Account struct {
			Type string `json:"@type"`
			Base struct {
				Address string `json:"address"`
			} `json:"base_account"`
		} `json:"account"`
	}
	client.get("/cosmos/auth/v1beta1/accounts/"+first, &account)
	if account.Account.Type != "/opinit.ophost.v1.BridgeAccount" || account.Account.Base.Address != first {
		t.Errorf("%+v", account)
	}
	client.get("/opinit/ophost/v1/bridges/1000", &bridge)

	for path, want := range map[string]struct {
		status  int
		message string
	}{
		"0":    {http.StatusInternalServerError, "collections: not found: key '0' of type github.com/cosmos/gogoproto/opinit.ophost.v1.BridgeConfig"},
		"1001": {http.StatusInternalServerError, "collections: not found: key '1001' of type github.com/cosmos/gogoproto/opinit.ophost.v1.BridgeConfig"},
		"x":    {http.StatusBadRequest, `type mismatch, parameter: bridge_id, error: strconv.ParseUint: parsing "x": invalid syntax`},
	} {
		status, body := client.Get("/opinit/ophost/v1/bridges/" + path)
		var refusal struct {
			Message string `json:"message"`
		}
		if err := json.Unmarshal(body, &refusal); err != nil || status != want.status || refusal.Message != want.message {
			t.Errorf("%s: %d %s %v", path, status, body, err)
		}
	}
}

// The path of the module shows whether it exists; a missing resource does not.
func TestModuleExists(t *testing.T) {
	client := startL1(t)
	for path, status := range map[string]int{
		Address() + "/modules/vip":    http.StatusOK,
		Address() + "/modules/vault2": http.StatusInternalServerError,
		"0x2/modules/vip":             http.StatusInternalServerError,
		"0x2/resources/by_struct_tag?struct_tag=0x2::vip::ModuleStore":                       http.StatusInternalServerError,
		Address() + "/resources/by_struct_tag?struct_tag=" + Address() + "::bridges::Bridge": http.StatusInternalServerError,
	} {
		if found, body := client.Get("/initia/move/v1/accounts/" + path); found != status {
			t.Errorf("%s: %d %s", path, found, body)
		}
	}
}
