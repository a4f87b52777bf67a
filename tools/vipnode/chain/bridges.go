package chain

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// L1Bridges is how many bridges a chain that plays L1 has, from ID 1.
const L1Bridges = 1000

const bridgesPath = "/opinit/ophost/v1/bridges/"

// serveBridges answers the query for a bridge of L1, and passes other requests on. Fields, statuses and texts are those of
// initia-labs/OPinit (x/ophost); what a development chain does not have is empty.
func serveBridges(others http.Handler) http.Handler {
	return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		text, found := strings.CutPrefix(request.URL.Path, bridgesPath)
		if !found || request.Method != http.MethodGet || strings.Contains(text, "/") {
			others.ServeHTTP(response, request)
			return
		}
		id, err := strconv.ParseUint(text, 10, 64)
		switch {
		case err != nil:
			refuse(response, http.StatusBadRequest, 3, fmt.Sprintf("type mismatch, parameter: bridge_id, error: %s", err))
		case id < 1 || id > L1Bridges:
			refuse(response, http.StatusInternalServerError, 2,
				fmt.Sprintf("collections: not found: key '%d' of type github.com/cosmos/gogoproto/opinit.ophost.v1.BridgeConfig", id))
		default:
			answerJSON(response, http.StatusOK, map[string]any{
				"bridge_id": text, "bridge_addr": BridgeAddress(id).String(), "bridge_config": bridgeConfig(),
			})
		}
	})
}

func refuse(response http.ResponseWriter, status, code int, message string) {
	answerJSON(response, status, map[string]any{"code": code, "message": message, "details": []any{}})
}
