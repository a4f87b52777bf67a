package fidelity_test

import (
	"regexp"
	"slices"
	"strings"
)

// knownDifference is a place at which vipnode answers differently from the recorded node, and will go on doing so.
type knownDifference struct {
	file      string
	exchanges []int
	// path is a field, with all that is in it.
	path string
	// only, if given, matches all that differs in the two texts.
	only   *regexp.Regexp
	reason string
}

const (
	restFile      = "minimove-rest.json"
	rpcFile       = "minimove-rpc.json"
	nftTablesFile = "minimove-nft-tables-rest.json"
	secondRPCFile = "minimove-rpc-2.json"

	ownName      = "vipnode tells its own name and version; the recorded node was built without one"
	noModuleList = "a test program holds no list of its modules; vipnode-move does"
	ownReactors  = "the recorded node runs other reactors of CometBFT; nothing reads them"
	noOPinit     = "vipnode has no OPinit"
	betweenFiles = "the deployer sent ten transactions between the two recordings which are not known; before, the view used 2,035 there too"
	emptyBytes   = "three zero bytes are no transaction: the SDK says so while it decodes, the recorded node later"
)

// errorFrame is where in the SDK's sources an error was given its last text.
var errorFrame = regexp.MustCompile(`\[[a-z-]+/cosmos-sdk@v0\.50\.15(-initia\.0)?/baseapp/baseapp\.go:\d+\]`)

var knownDifferences = []knownDifference{
	{file: restFile, exchanges: []int{0, 66}, path: "application_version.app_name", reason: ownName},
	{file: restFile, exchanges: []int{0, 66}, path: "application_version.name", reason: ownName},
	{file: restFile, exchanges: []int{0, 66}, path: "application_version.version", reason: ownName},
	{file: restFile, exchanges: []int{0, 66}, path: "application_version.build_deps", reason: noModuleList},
	{file: restFile, exchanges: []int{0, 66}, path: "application_version.cosmos_sdk_version", reason: noModuleList},
	{file: restFile, exchanges: []int{0, 66}, path: "default_node_info.channels", reason: ownReactors},
	{file: restFile, exchanges: []int{0, 66}, path: "default_node_info.moniker", reason: ownName},
	{file: nftTablesFile, exchanges: []int{0}, path: "application_version.app_name", reason: ownName},
	{file: nftTablesFile, exchanges: []int{0}, path: "application_version.name", reason: ownName},
	{file: nftTablesFile, exchanges: []int{0}, path: "application_version.version", reason: ownName},
	{file: nftTablesFile, exchanges: []int{0}, path: "application_version.build_deps", reason: noModuleList},
	{file: nftTablesFile, exchanges: []int{0}, path: "application_version.cosmos_sdk_version", reason: noModuleList},
	{file: nftTablesFile, exchanges: []int{0}, path: "default_node_info.channels", reason: ownReactors},
	{file: nftTablesFile, exchanges: []int{0}, path: "default_node_info.moniker", reason: ownName},
	{file: rpcFile, exchanges: []int{0, 1}, path: "result.response.data", reason: ownName},
	{file: rpcFile, exchanges: []int{0, 1}, path: "result.response.version", reason: ownName},
	{file: rpcFile, exchanges: []int{2}, path: "result.node_info.channels", reason: ownReactors},
	{file: rpcFile, exchanges: []int{2}, path: "result.node_info.moniker", reason: ownName},

	{
		file: restFile, exchanges: []int{14, 22, 24, 26, 33}, path: "message", only: errorFrame,
		reason: "the recorded node runs a fork of the SDK, whose sources have other lines",
	},

	{file: restFile, exchanges: []int{75}, path: "status", reason: noOPinit},
	{file: restFile, exchanges: []int{75}, path: "code", reason: noOPinit},
	{file: restFile, exchanges: []int{75}, path: "details", reason: noOPinit},
	{file: restFile, exchanges: []int{75}, path: "message", reason: noOPinit},
	{file: restFile, exchanges: []int{75}, path: "params", reason: noOPinit},

	{file: nftTablesFile, exchanges: []int{51}, path: "responses[0].gas_used", reason: betweenFiles},
	{file: nftTablesFile, exchanges: []int{51}, path: "responses[1].gas_used", reason: betweenFiles},

	{file: secondRPCFile, exchanges: []int{4}, path: "result.code", reason: emptyBytes},
	{file: secondRPCFile, exchanges: []int{4}, path: "result.log", reason: emptyBytes},
}

// findKnown gives the entry that says that this difference is known, or nothing.
func findKnown(file string, index int, found difference) *knownDifference {
	for i := range knownDifferences {
		known := &knownDifferences[i]
		if known.file == file && slices.Contains(known.exchanges, index) && known.covers(found) {
			return known
		}
	}
	return nil
}

func (k *knownDifference) covers(found difference) bool {
	rest, inside := strings.CutPrefix(found.path, k.path)
	if !inside || rest != "" && rest[0] != '.' && rest[0] != '[' {
		return false
	}
	return k.only == nil ||
		k.only.ReplaceAllLiteralString(found.recorded, "") == k.only.ReplaceAllLiteralString(found.ours, "")
}
