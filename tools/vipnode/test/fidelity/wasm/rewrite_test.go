package wasm_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"testing"

	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	txtypes "github.com/cosmos/cosmos-sdk/types/tx"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
)

// rewriter changes requests that cannot be sent as recorded: those that store the contract, whose bytes are
// cut, and those signed by cosmjs's account, which is funded from the start here and had another number there.
type rewriter struct {
	t        *testing.T
	client   *chaintest.Client
	aliases  *fidelity.Aliases
	contract []byte
}

// stored is a recorded transaction that stores the contract.
type stored struct {
	account  chain.TestAccount
	sequence uint64
	// gas is the recorded limit, 0 in a simulation.
	gas uint64
	// zipped contracts are compressed, as cosmjs does.
	zipped bool
	// signature is the recorded signature.
	signature string
}

var (
	ethDeployer    = chain.Deployer(chain.EthCoinType)
	cosmosDeployer = chain.Deployer(chain.CosmosCoinType)
)

// storing are the exchanges that store the contract.
var storing = map[string]map[int]stored{
	restFile: {
		2: {account: ethDeployer, sequence: 9},
		3: {
			account: ethDeployer, sequence: 9, gas: 4_799_070,
			signature: "kHwLQfFRLKz0G5JLDdoghcmLxQT8IXlLGHRUR1+FGZZfPSyyMUt/Jf1mhoH6b0QiNdKHIMxAWdR3Zn7EL7+5dA==",
		},
	},
	cosmjsRPCFile: {
		5:  {account: cosmosDeployer, zipped: true},
		11: {account: cosmosDeployer, zipped: true},
		13: {
			account: cosmosDeployer, gas: 2_192_049, zipped: true,
			signature: "N7S2L9wgO6ydE+eTY6lWWompXnRuZBHGeOdFXJHRdO1URRUgaMz0h3U6J3z6NvwGYqyozNTKyytX/zJePEKKfw==",
		},
	},
}

func (r *rewriter) rewrite(file string, index int, one fidelity.Exchange) any {
	r.t.Helper()
	if store, found := storing[file][index]; found {
		return r.withTransaction(one, r.store(store))
	}
	if file == cosmjsRPCFile && one.Route() == fidelity.BroadcastRPCRoute {
		return r.withTransaction(one, r.signAgain(one))
	}
	return one.Request.Body
}

// store stores our contract in the same way as the recorded contract.
func (r *rewriter) store(recorded stored) []byte {
	r.t.Helper()
	message := &wasmtypes.MsgStoreCode{Sender: recorded.account.Address.String(), WASMByteCode: r.contract}
	if recorded.zipped {
		message.WASMByteCode = zip(r.t, r.contract)
	}
	signed := chaintest.Signed{
		ChainID: recordedChainID, Key: recorded.account.Key, AccountNumber: r.number(recorded.account),
		Sequence: recorded.sequence, Gas: recorded.gas, Messages: []sdk.Msg{message},
	}
	if recorded.gas > 0 {
		signed.Fee = zeroFee()
	}
	raw := decodeRaw(r.t, r.client.Sign(signed))
	if recorded.gas == 0 {
		raw.Signatures[0] = nil
	} else {
		r.learnSignature(recorded.signature, raw)
	}
	return encodeRaw(r.t, raw)
}

// signAgain signs a recorded transaction with its account's number here.
func (r *rewriter) signAgain(one fidelity.Exchange) []byte {
	r.t.Helper()
	content, err := one.Transaction()
	if err != nil {
		r.t.Fatal(err)
	}
	raw := decodeRaw(r.t, content)
	document, err := (&txtypes.SignDoc{
		BodyBytes: raw.BodyBytes, AuthInfoBytes: raw.AuthInfoBytes, ChainId: recordedChainID, AccountNumber: r.number(cosmosDeployer),
	}).Marshal()
	if err != nil {
		r.t.Fatal(err)
	}
	recorded := base64.StdEncoding.EncodeToString(raw.Signatures[0])
	if raw.Signatures[0], err = cosmosDeployer.Key.Sign(document); err != nil {
		r.t.Fatal(err)
	}
	r.learnSignature(recorded, raw)
	return encodeRaw(r.t, raw)
}

func (r *rewriter) number(account chain.TestAccount) uint64 {
	number, _ := r.client.Account(account.Address)
	return number
}

func (r *rewriter) learnSignature(recorded string, raw *txtypes.TxRaw) {
	r.t.Helper()
	if err := r.aliases.Learn(recorded, base64.StdEncoding.EncodeToString(raw.Signatures[0])); err != nil {
		r.t.Fatal(err)
	}
}

// withTransaction returns a recorded request with another transaction.
func (r *rewriter) withTransaction(one fidelity.Exchange, tx []byte) any {
	r.t.Helper()
	body := maps.Clone(one.Request.Body.(map[string]any))
	text := base64.StdEncoding.EncodeToString(tx)
	switch one.Route() {
	case fidelity.SimulateRPCRoute:
		content, err := (&txtypes.SimulateRequest{TxBytes: tx}).Marshal()
		if err != nil {
			r.t.Fatal(err)
		}
		parameters := maps.Clone(body["params"].(map[string]any))
		parameters["data"] = hex.EncodeToString(content)
		body["params"] = parameters
	case fidelity.BroadcastRPCRoute:
		body["params"] = map[string]any{"tx": text}
	default:
		body["tx_bytes"] = text
	}
	return body
}

func zip(t *testing.T, content []byte) []byte {
	t.Helper()
	var zipped bytes.Buffer
	writer, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return zipped.Bytes()
}

func decodeRaw(t *testing.T, content []byte) *txtypes.TxRaw {
	t.Helper()
	var raw txtypes.TxRaw
	if err := raw.Unmarshal(content); err != nil {
		t.Fatal(err)
	}
	return &raw
}

func encodeRaw(t *testing.T, raw *txtypes.TxRaw) []byte {
	t.Helper()
	content, err := raw.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return content
}
