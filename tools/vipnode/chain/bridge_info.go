package chain

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strconv"

	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/address"
)

// Bridge is the connection of a rollup with its L1, as a rollup's own OPinit module returns it.
type Bridge struct {
	// ID is the number that L1 gave the bridge, from 1.
	ID uint64
	// Address is the bridge's account on L1, in bech32.
	Address string
	// L1ChainID is the chain ID of that L1.
	L1ChainID string
}

// BridgeAddress is the account of a bridge on every L1, as initia-labs/OPinit (x/ophost) derives it.
func BridgeAddress(id uint64) sdk.AccAddress {
	return address.Module("ophost", binary.BigEndian.AppendUint64(nil, id))
}

const bridgeInfoPath = "/opinit/opchild/v1/bridge_info"

// serveBridgeInfo answers the query for a rollup's bridge, and passes other requests on. Fields, statuses and texts are those
// of initia-labs/OPinit (x/opchild); what a development chain does not have is empty.
func serveBridgeInfo(bridge *Bridge, others http.Handler) http.Handler {
	return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		if request.URL.Path != bridgeInfoPath || request.Method != http.MethodGet {
			others.ServeHTTP(response, request)
			return
		}
		if bridge == nil {
			refuse(response, http.StatusNotFound, 5, "bridge info not found")
			return
		}
		answerJSON(response, http.StatusOK, map[string]any{"bridge_info": bridgeInfo(*bridge)})
	})
}

func answerJSON(response http.ResponseWriter, status int, answer map[string]any) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	_ = json.NewEncoder(response).Encode(answer)
}

func bridgeInfo(bridge Bridge) map[string]any {
	return map[string]any{
		"bridge_id":     strconv.FormatUint(bridge.ID, 10),
		"bridge_addr":   bridge.Address,
		"l1_chain_id":   bridge.L1ChainID,
		"l1_client_id":  "",
		"bridge_config": bridgeConfig(),
	}
}

func bridgeConfig() map[string]any {
	return map[string]any{
		"challenger":              "",
		"proposer":                "",
		"batch_info":              map[string]any{"submitter": "", "chain_type": "CHAIN_TYPE_UNSPECIFIED"},
		"submission_interval":     "0s",
		"finalization_period":     "0s",
		"submission_start_height": "0",
		"oracle_enabled":          false,
		"metadata":                nil,
	}
}
