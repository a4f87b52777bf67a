package move_test

import (
	"regexp"

	"github.com/vipscore/vipscore/tools/vipnode/test/fidelity"
)

const (
	restFile      = "minimove-rest.json"
	rpcFile       = "minimove-rpc.json"
	nftTablesFile = "minimove-nft-tables-rest.json"
	secondRPCFile = "minimove-rpc-2.json"
	mempoolFile   = "minimove-mempool-rest.json"

	ownName      = "vipnode reports its own name and version; the recorded node was built without one"
	noModuleList = "a test program does not contain a list of its modules; vipnode-move does"
	ownReactors  = "the recorded node runs other reactors of CometBFT; nothing reads them"
	noOPinit     = "vipnode has no OPinit"
	betweenFiles = "the deployer sent ten unknown transactions between the two recordings; before them the view used 2,035 there too"
	movePayments = "there a payment moves Move coins, which emits events and costs 18,200 gas; here it moves the bank's own"
	emptyBytes   = "three zero bytes are not a transaction: the SDK reports that while decoding, the recorded node later"
)

// errorFrame is where in the SDK's sources an error was given its last text.
var errorFrame = regexp.MustCompile(`\[[a-z-]+/cosmos-sdk@v0\.50\.15(-initia\.0)?/baseapp/baseapp\.go:\d+\]`)

// foundPayments are the exchanges that look up a payment in a block.
var foundPayments = []int{2, 6, 7, 8, 13, 14, 18}

var knownDifferences = []fidelity.KnownDifference{
	{File: restFile, Exchanges: []int{0, 66}, Path: "application_version.app_name", Reason: ownName},
	{File: restFile, Exchanges: []int{0, 66}, Path: "application_version.name", Reason: ownName},
	{File: restFile, Exchanges: []int{0, 66}, Path: "application_version.version", Reason: ownName},
	{File: restFile, Exchanges: []int{0, 66}, Path: "application_version.build_deps", Reason: noModuleList},
	{File: restFile, Exchanges: []int{0, 66}, Path: "application_version.cosmos_sdk_version", Reason: noModuleList},
	{File: restFile, Exchanges: []int{0, 66}, Path: "default_node_info.channels", Reason: ownReactors},
	{File: restFile, Exchanges: []int{0, 66}, Path: "default_node_info.moniker", Reason: ownName},
	{File: nftTablesFile, Exchanges: []int{0}, Path: "application_version.app_name", Reason: ownName},
	{File: nftTablesFile, Exchanges: []int{0}, Path: "application_version.name", Reason: ownName},
	{File: nftTablesFile, Exchanges: []int{0}, Path: "application_version.version", Reason: ownName},
	{File: nftTablesFile, Exchanges: []int{0}, Path: "application_version.build_deps", Reason: noModuleList},
	{File: nftTablesFile, Exchanges: []int{0}, Path: "application_version.cosmos_sdk_version", Reason: noModuleList},
	{File: nftTablesFile, Exchanges: []int{0}, Path: "default_node_info.channels", Reason: ownReactors},
	{File: nftTablesFile, Exchanges: []int{0}, Path: "default_node_info.moniker", Reason: ownName},
	{File: rpcFile, Exchanges: []int{0, 1}, Path: "result.response.data", Reason: ownName},
	{File: rpcFile, Exchanges: []int{0, 1}, Path: "result.response.version", Reason: ownName},
	{File: rpcFile, Exchanges: []int{2}, Path: "result.node_info.channels", Reason: ownReactors},
	{File: rpcFile, Exchanges: []int{2}, Path: "result.node_info.moniker", Reason: ownName},

	{
		File: restFile, Exchanges: []int{14, 22, 24, 26, 33}, Path: "message", Only: errorFrame,
		Reason: "the recorded node runs a fork of the SDK, whose sources have other lines",
	},

	{File: restFile, Exchanges: []int{75}, Path: "status", Reason: noOPinit},
	{File: restFile, Exchanges: []int{75}, Path: "code", Reason: noOPinit},
	{File: restFile, Exchanges: []int{75}, Path: "details", Reason: noOPinit},
	{File: restFile, Exchanges: []int{75}, Path: "message", Reason: noOPinit},
	{File: restFile, Exchanges: []int{75}, Path: "params", Reason: noOPinit},

	{File: nftTablesFile, Exchanges: []int{51}, Path: "responses[0].gas_used", Reason: betweenFiles},
	{File: nftTablesFile, Exchanges: []int{51}, Path: "responses[1].gas_used", Reason: betweenFiles},

	{File: mempoolFile, Exchanges: foundPayments, Path: "tx_response.gas_used", More: 18_200, Reason: movePayments},
	{File: mempoolFile, Exchanges: foundPayments, Path: "tx_response.events.length", Reason: movePayments},
	{File: mempoolFile, Exchanges: foundPayments, Path: "tx_response.events[4]", Reason: movePayments},
	{File: mempoolFile, Exchanges: foundPayments, Path: "tx_response.events[5]", Reason: movePayments},
	{File: mempoolFile, Exchanges: foundPayments, Path: "tx_response.events[6]", Reason: movePayments},
	{File: mempoolFile, Exchanges: foundPayments, Path: "tx_response.events[7]", Reason: movePayments},

	{File: secondRPCFile, Exchanges: []int{4}, Path: "result.code", Reason: emptyBytes},
	{File: secondRPCFile, Exchanges: []int{4}, Path: "result.log", Reason: emptyBytes},
}
