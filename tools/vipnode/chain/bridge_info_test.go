package chain_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

const bridgeInfo = "/opinit/opchild/v1/bridge_info"

func TestRollupAnswersItsBridge(t *testing.T) {
	address := chain.Operator(chain.EthCoinType).Address.String()
	_, client := chaintest.Start(t, chain.Options{Bridge: &chain.Bridge{ID: 1 << 63, Address: address, L1ChainID: "l1-1"}})
	status, body := client.Get(bridgeInfo)
	var answer struct {
		Info struct {
			ID      uint64         `json:"bridge_id,string"`
			Address string         `json:"bridge_addr"`
			L1      string         `json:"l1_chain_id"`
			Config  map[string]any `json:"bridge_config"`
		} `json:"bridge_info"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if info := answer.Info; info.ID != 1<<63 || info.Address != address || info.L1 != "l1-1" || info.Config == nil {
		t.Errorf("%s", body)
	}
}

func TestNoBridge(t *testing.T) {
	for _, one := range []struct {
		options chain.Options
		status  int
		message string
	}{
		{chain.Options{}, http.StatusNotFound, "bridge info not found"},
		{chain.Options{IsL1: true}, http.StatusNotImplemented, "Not Implemented"},
	} {
		_, client := chaintest.Start(t, one.options)
		status, body := client.Get(bridgeInfo)
		if _, message := failure(t, body); status != one.status || message != one.message {
			t.Errorf("%d %s", status, body)
		}
	}
}
