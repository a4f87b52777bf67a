package wasm_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestQueriesThatFail(t *testing.T) {
	tt := start(t)
	for _, one := range []struct{ message, part string }{
		{`{"loop":{}}`, "out of gas"},
		{`{"grow":{}}`, "unreachable"},
		{`{"trap":{}}`, "unreachable"},
		{`{"recurse":{}}`, "call stack exhausted"},
		{`{"json":{}}`, "unexpected end of JSON input"},
		{`{"outside":{}}`, "Got an invalid region"},
		{`{"pointer":{}}`, "could not be dereferenced"},
		{`{"staking":{}}`, "wasmvm error"},
	} {
		t.Run(one.message[:min(20, len(one.message))], func(t *testing.T) {
			tt.query(one.message).Refused(t, http.StatusInternalServerError, one.part)
			tt.stillWorks()
		})
	}
	for _, message := range []string{"count", "", strings.Repeat("[", 20_000)} {
		tt.query(message).Refused(t, http.StatusBadRequest, "invalid query data")
	}
	t.Run("many concurrent endless loops", func(t *testing.T) {
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				if answer := tt.query(`{"loop":{}}`); answer.Status == http.StatusOK {
					t.Errorf("%s", answer.Body)
				}
			}()
		}
		tt.stillWorks()
		all.Wait()
	})
}

func TestRequestsWithJunk(t *testing.T) {
	tt := start(t)
	const contracts = "/cosmwasm/wasm/v1/contract/"
	for path, status := range map[string]int{
		contracts + "init1qqqq":                                     http.StatusInternalServerError,
		contracts + "zz/smart/e30=":                                 http.StatusInternalServerError,
		contracts + "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6":   http.StatusInternalServerError,
		contracts + contract + "/smart/%25%25":                      http.StatusBadRequest,
		contracts + contract + "/smart/" + strings.Repeat("A", 5e5): http.StatusBadRequest,
		contracts + contract + "/raw/%00":                           http.StatusBadRequest,
		contracts + contract + "/state?pagination.limit=-1":         http.StatusBadRequest,
		"/cosmwasm/wasm/v1/code/0":                                  http.StatusInternalServerError,
		"/cosmwasm/wasm/v1/code/18446744073709551616":               http.StatusBadRequest,
		"/cosmwasm/wasm/v1/code/77":                                 http.StatusInternalServerError,
		"/cosmwasm/wasm/v1/codes/nothing":                           http.StatusNotImplemented,
	} {
		t.Run(path[:min(80, len(path))], func(t *testing.T) {
			tt.Request(t, http.MethodGet, path, "").Refused(t, status)
		})
	}
	const simulate = "/cosmos/tx/v1beta1/simulate"
	for name, body := range map[string]string{
		"nested deeply": strings.Repeat("[", 200_000), "cut": `{"tx_bytes":"AA`, "a list": "[]",
		"8 MB": `{"tx_bytes":"` + strings.Repeat("A", 8<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			if answer := tt.Request(t, http.MethodPost, simulate, body); answer.Status == http.StatusOK {
				t.Errorf("%.300s", answer.Body)
			}
		})
	}
}
