package move_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/badinput"
)

func TestViewsThatFail(t *testing.T) {
	tt := start(t)
	tt.viewIn(t, "nothing", "value", nil).Refused(t, http.StatusInternalServerError, "LINKER_ERROR")
	tt.view(t, "nothing").Refused(t, http.StatusInternalServerError, "FUNCTION_RESOLUTION_FAILURE", "does not exist")
	tt.view(t, "not_exposed").Refused(t, http.StatusInternalServerError, "function not marked as view function")
	tt.view(t, "set", number(1)).Refused(t, http.StatusInternalServerError, "function not marked as view function")
	tt.view(t, "spin").Refused(t, http.StatusInternalServerError, "OUT_OF_GAS")
	tt.view(t, "same").Refused(t, http.StatusInternalServerError, "INVALID_MAIN_FUNCTION_SIGNATURE")
	tt.view(t, "same", number(1)[:7]).Refused(t, http.StatusInternalServerError, "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.view(t, "value", number(1)).Refused(t, http.StatusInternalServerError, "INVALID_MAIN_FUNCTION_SIGNATURE")
	deep := strings.Repeat("vector<", 50_000) + "u8" + strings.Repeat(">", 50_000)
	tt.viewIn(t, "pitfalls", "name", []string{deep}).Refused(t, http.StatusInternalServerError, "nested too deeply")

	spin := map[string]any{"address": tt.Sender.Address.String(), "module_name": "pitfalls", "function_name": "spin"}
	for _, path := range []string{"/initia/move/v1/view/json/batch", "/initia/move/v1/view/batch"} {
		tt.Post(t, path, map[string]any{"requests": []any{spin, spin, spin}}).Refused(t, http.StatusInternalServerError, "OUT_OF_GAS")
		tt.Post(t, path, map[string]any{"requests": make([]map[string]any, 1000)}).Refused(t, http.StatusInternalServerError, "1000 views")
	}
	long := map[string]any{
		"address": tt.Sender.Address.String(), "module_name": "pitfalls", "function_name": "same",
		"args": []string{`"` + strings.Repeat("1", 1_000_001) + `"`},
	}
	tt.Post(t, "/initia/move/v1/view/json", long).Refused(t, http.StatusInternalServerError, "maximum limit of 1000000 bytes exceeded")
}

func TestQueriesWithJunk(t *testing.T) {
	tt := start(t)
	const tables = "/initia/move/v1/tables/"
	publisher := "/initia/move/v1/accounts/" + tt.Sender.Address.String()
	for path, part := range map[string]string{
		tables + "0x1":                          "collections: not found: key 'hexBytes:",
		tables + "zz":                           "decoding bech32 failed",
		tables + "0x" + strings.Repeat("f", 65): "invalid length of address",
		tables + "0x1/entries":                  "collections: not found: key 'hexBytes:",
		tables + "0x1/entries?pagination.limit=18446744073709551615":               "collections: not found",
		tables + "0x1/entries/by_key_bytes?key_bytes=AAAA":                         "collections: not found",
		tables + "0x1/entries/by_key_bytes":                                        "collections: not found",
		publisher + "/resources/by_struct_tag":                                     "cannot parse empty struct tag",
		publisher + "/resources/by_struct_tag?struct_tag=%FF%FE":                   "invalid utf-8 sequence",
		publisher + "/resources/by_struct_tag?struct_tag=u8":                       "invalid struct tag: u8",
		publisher + "/resources/by_struct_tag?struct_tag=0x1::a::" + deepType(500): "invalid struct tag",
		publisher + "/modules/nothing":                                             "collections: not found: key 'hexBytes:",
		publisher + "/modules/%00":                                                 "collections: not found: key 'hexBytes:",
		"/initia/move/v1/accounts/0xzz/modules":                                    "invalid hex address",
		"/initia/move/v1/accounts/init1qqqq/modules":                               "decoding bech32 failed",
	} {
		t.Run(path[:min(80, len(path))], func(t *testing.T) {
			tt.Request(t, http.MethodGet, path, "").Refused(t, http.StatusInternalServerError, part)
		})
	}
	for path, status := range map[string]int{
		tables + "0x1/entries?pagination.limit=-1":              http.StatusBadRequest,
		tables + "0x1/entries?pagination.limit=many":            http.StatusBadRequest,
		tables + "0x1/entries/by_key_bytes?key_bytes=%25%25":    http.StatusBadRequest,
		"/cosmos/tx/v1beta1/txs/zz":                             http.StatusInternalServerError,
		"/cosmos/tx/v1beta1/txs?query=%27":                      http.StatusInternalServerError,
		"/initia/move/v1/nothing":                               http.StatusNotImplemented,
		"/cosmos/base/tendermint/v1beta1/blocks/99999999999999": http.StatusBadRequest,
	} {
		t.Run(path[:min(80, len(path))], func(t *testing.T) {
			tt.Request(t, http.MethodGet, path, "").Refused(t, status)
		})
	}
}

func deepType(levels int) string {
	return "T%3C" + strings.Repeat("0x1::a::T%3C", levels) + "u8" + strings.Repeat("%3E", levels+1)
}

func TestBodiesThatAreRefused(t *testing.T) {
	tt := start(t)
	const simulate = "/cosmos/tx/v1beta1/simulate"
	const broadcast = "/cosmos/tx/v1beta1/txs"
	const view = "/initia/move/v1/view/json"
	for _, path := range []string{simulate, broadcast, view} {
		for name, body := range map[string]string{
			"no JSON":       "no JSON",
			"a list":        "[]",
			"cut":           `{"tx_bytes":"AA`,
			"nested deeply": strings.Repeat("[", 200_000),
			"other types":   `{"nothing":1,"tx_bytes":5,"address":5}`,
			"zero bytes":    "\x00\x00\x00",
		} {
			t.Run(path+", "+name, func(t *testing.T) {
				tt.Request(t, http.MethodPost, path, body).Refused(t, http.StatusBadRequest)
			})
		}
	}
	t.Run("empty transaction", func(t *testing.T) {
		// Recorded from minimove for bytes without a message.
		answer := tt.Request(t, http.MethodPost, broadcast, `{"tx_bytes":"","mode":"BROADCAST_MODE_SYNC"}`)
		if !bytes.Contains(answer.Body, []byte(`"code":18,"data":"","raw_log":"must contain at least one message: invalid request"`)) {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
		tt.Request(t, http.MethodPost, simulate, `{"tx_bytes":""}`).Refused(t, http.StatusBadRequest)
	})
	t.Run("a transaction of junk", func(t *testing.T) {
		if result := tt.Client.Broadcast([]byte("junk")); result.Codespace != "sdk" || result.Code != 2 {
			t.Errorf("%s %d %s", result.Codespace, result.Code, result.Log)
		}
		tt.Post(t, simulate, map[string]any{"tx_bytes": []byte("junk")}).Refused(t, http.StatusInternalServerError, "tx parse error")
	})
	t.Run("a transaction of 3 MB", func(t *testing.T) {
		number, sequence := tt.Client.Account(tt.Sender.Address)
		tx := tt.Client.Sign(chaintest.Signed{
			ChainID: badinput.ChainID, Key: tt.Sender.Key, AccountNumber: number, Sequence: sequence, Gas: 100_000_000,
			Messages: []sdk.Msg{tt.call("set", make([]byte, 3<<20))},
		})
		if result := tt.Client.Broadcast(tx); result.Codespace != "sdk" || result.Code != 21 {
			t.Errorf("%s %d %s", result.Codespace, result.Code, result.Log)
		}
		tt.Post(t, simulate, map[string]any{"tx_bytes": tx}).Refused(t, http.StatusInternalServerError, "FAILED_TO_DESERIALIZE_ARGUMENT")
	})
	t.Run("8 MB", func(t *testing.T) {
		body := `{"tx_bytes":"` + strings.Repeat("A", 8<<20) + `"}`
		tt.Request(t, http.MethodPost, simulate, body).Refused(t, http.StatusInternalServerError, "tx parse error")
	})
	t.Run("32 MB", func(t *testing.T) {
		// The node may close the connection before it has read everything: either way it must refuse.
		request, err := http.NewRequest(http.MethodPost, tt.Node.RestURL()+simulate, bytes.NewReader(make([]byte, 32<<20)))
		if err != nil {
			t.Fatal(err)
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				t.Errorf("status %d", response.StatusCode)
			}
		}
	})
}
