package wasm_test

import (
	"regexp"
	"slices"

	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
)

const (
	restFile       = "miniwasm-rest.json"
	rpcFile        = "miniwasm-rpc.json"
	cosmjsRestFile = "miniwasm-cosmjs-rest.json"
	cosmjsRPCFile  = "miniwasm-cosmjs-rpc.json"
	mempoolRPCFile = "miniwasm-mempool-rpc.json"

	// recordedCodeSize is the size of the recorded contract, in bytes, according to the recorded transaction.
	recordedCodeSize = 240_344
	// sizeGas is the gas per byte of stored code.
	sizeGas = 10 + 3
	// tokenFactoryGas is the token factory's gas in a payment, recipientGas that of a new account and its side effects.
	tokenFactoryGas = 3_045
	recipientGas    = 13_440
	// laterTokenFactoryGas is the extra gas of a payment on the later release on which the mempool was recorded.
	laterTokenFactoryGas = 3_600

	// cosmjsRestBefore is the number of REST exchanges before those over RPC.
	cosmjsRestBefore = 12
)

const (
	ownName           = "vipnode reports its own name and version; the recorded node was built without one"
	noModuleList      = "a test program does not contain a list of its modules; vipnode-wasm does"
	ownReactors       = "the recorded node runs other reactors of CometBFT; nothing reads them"
	noOPinit          = "vipnode has no OPinit"
	contractGas       = "another contract, and fewer digits in block heights, which are stored and passed to contracts"
	contractWords     = "another contract, with other names in Rust, and other lines in the sources of wasmd"
	codeSize          = "another code, which is shorter: 10 gas per byte of the transaction, 3 per byte to compile"
	tokenFactory      = "miniwasm's bank calls its token factory for every payment"
	laterTokenFactory = "the same, on the next release of miniwasm"
	newRecipient      = "there the payment created the recipient's account, which exists here from the start; and the token factory"
	otherNumber       = "cosmjs's account exists here from the start, and was created later there"
	otherBalance      = "cosmjs's account has funds from the start here"
	cutCode           = "the recorded transaction is cut in the middle of the code"
	idleChain         = "here the newest block follows an empty one; there the block before contained the last transaction"
	noSizeLimit       = "the largest size of a code is a parameter of miniwasm's x/wasm and a constant, of the same size, of wasmd's"
)

// Where in wasmd's sources an error got its last text, the gas of a call at that point, where in its sources a contract
// stopped and the text before the error, and the Rust names of the contract's types.
var otherWords = regexp.MustCompile("\\[[^ ]+/wasmd@v[^ ]+/x/wasm/keeper/keeper.go:\\d+\\]|gas used: '\\d+'|" +
	"panicked at [^ ]+:\n(called `Result::unwrap\\(\\)` on an `Err` value|a batch stops the VM)|, backtrace: <disabled>|(vip_score|reference_shape)(::[a-z]+)+")

// knownDifferences returns the known differences for a contract of a size in bytes.
func knownDifferences(size int) []fidelity.KnownDifference {
	lessCode := sizeGas * (recordedCodeSize - size)
	return slices.Concat(
		each(restFile, []int{0, 58}, nodeNames),
		each(cosmjsRestFile, []int{0, 6}, nodeNames),
		each(rpcFile, []int{1}, nodeStatus),
		each(cosmjsRPCFile, []int{0, 1, 2, 6, 7, 8}, nodeStatus),
		[]fidelity.KnownDifference{
			{File: rpcFile, Exchanges: []int{0}, Path: "result.response.data", Reason: ownName},
			{File: rpcFile, Exchanges: []int{0}, Path: "result.response.version", Reason: ownName},

			{File: restFile, Exchanges: []int{2}, Path: "gas_info.gas_used", More: lessCode, Reason: codeSize},
			{File: restFile, Exchanges: []int{5, 6}, Path: "tx_response.gas_used", More: lessCode, Reason: codeSize},
			{File: restFile, Exchanges: []int{8, 14, 29, 37, 43}, Path: "gas_info.gas_used", Reason: contractGas},
			{
				File: restFile, Exchanges: []int{11, 12, 17, 18, 24, 25, 32, 33, 40, 41}, Path: "tx_response.gas_used",
				Reason: contractGas,
			},
			{File: restFile, Exchanges: []int{20, 27, 35, 47, 54}, Path: "message", Only: otherWords, Reason: contractWords},
			{File: restFile, Exchanges: []int{60}, Path: "status", Reason: noOPinit},
			{File: restFile, Exchanges: []int{60}, Path: "code", Reason: noOPinit},
			{File: restFile, Exchanges: []int{60}, Path: "details", Reason: noOPinit},
			{File: restFile, Exchanges: []int{60}, Path: "message", Reason: noOPinit},
			{File: restFile, Exchanges: []int{60}, Path: "params", Reason: noOPinit},

			{File: cosmjsRestFile, Exchanges: []int{2}, Path: "gas_info.gas_used", More: tokenFactoryGas + recipientGas, Reason: newRecipient},
			{File: cosmjsRestFile, Exchanges: []int{5}, Path: "tx_response.gas_used", More: tokenFactoryGas + recipientGas, Reason: newRecipient},
			{File: cosmjsRestFile, Exchanges: []int{8}, Path: "gas_info.gas_used", More: tokenFactoryGas, Reason: tokenFactory},
			{File: cosmjsRestFile, Exchanges: []int{11}, Path: "tx_response.gas_used", More: tokenFactoryGas, Reason: tokenFactory},
			{File: cosmjsRestFile, Exchanges: []int{14}, Path: "params.max_wasm_size", Reason: noSizeLimit},
			{File: cosmjsRestFile, Exchanges: []int{15}, Path: "account.account_number", Reason: otherNumber},

			{File: cosmjsRPCFile, Exchanges: []int{3, 9}, Path: "result.response.value.balance.amount", Reason: otherBalance},
			{
				File: cosmjsRPCFile, Exchanges: []int{4, 10, 12, 16, 18, 21, 23, 26, 28, 31},
				Path: "result.response.value.account.account_number", Reason: otherNumber,
			},
			{File: cosmjsRPCFile, Exchanges: []int{5, 11, 17, 22}, Path: "result.response.value.gas_info.gas_used", Reason: contractGas},
			{File: cosmjsRPCFile, Exchanges: []int{27, 36}, Path: "result.response.log", Only: otherWords, Reason: contractWords},
			{File: cosmjsRPCFile, Exchanges: []int{15, 41}, Path: "result.txs[0].tx", Reason: cutCode},
			{
				File: cosmjsRPCFile, Exchanges: []int{15, 20, 25, 30, 33, 41}, Path: "result.txs[0].tx_result.gas_used",
				Reason: contractGas,
			},
			{File: cosmjsRPCFile, Exchanges: []int{41}, Path: "result.txs[1].tx_result.gas_used", Reason: contractGas},
			{File: cosmjsRPCFile, Exchanges: []int{41}, Path: "result.txs[2].tx_result.gas_used", Reason: contractGas},
			{File: cosmjsRPCFile, Exchanges: []int{41}, Path: "result.txs[3].tx_result.gas_used", Reason: contractGas},
			{
				File: mempoolRPCFile, Exchanges: []int{2, 6, 7, 8, 13, 14, 18}, Path: "result.tx_result.gas_used",
				More: laterTokenFactoryGas, Reason: laterTokenFactory,
			},
			{File: cosmjsRPCFile, Exchanges: []int{42}, Path: "result.block.header.last_results_hash", Reason: idleChain},
		},
	)
}

// nodeNames and nodeStatus are the fields, with their reasons, in which every description of the node differs.
var (
	nodeNames = [][2]string{
		{"application_version.app_name", ownName}, {"application_version.name", ownName}, {"application_version.version", ownName},
		{"application_version.build_deps", noModuleList}, {"application_version.cosmos_sdk_version", noModuleList},
		{"default_node_info.channels", ownReactors}, {"default_node_info.moniker", ownName},
	}
	nodeStatus = [][2]string{{"result.node_info.channels", ownReactors}, {"result.node_info.moniker", ownName}}
)

func each(file string, exchanges []int, fields [][2]string) []fidelity.KnownDifference {
	var known []fidelity.KnownDifference
	for _, field := range fields {
		known = append(known, fidelity.KnownDifference{File: file, Exchanges: exchanges, Path: field[0], Reason: field[1]})
	}
	return known
}
