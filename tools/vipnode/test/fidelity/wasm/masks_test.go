package wasm_test

import "github.com/vipscore/vipscore/tools/vipnode/test/fidelity"

var (
	nodeInfo  = []string{"GET /cosmos/base/tendermint/v1beta1/node_info"}
	lookups   = []string{"GET /cosmos/tx/v1beta1/txs/*"}
	contracts = []string{"GET /cosmwasm/wasm/v1/contract/*"}
	queries   = []string{"rpc abci_query *"}
	infos     = []string{"rpc abci_query /cosmwasm.wasm.v1.Query/ContractInfo"}
	searches  = []string{"rpc tx_search"}
	status    = []string{"rpc status"}
	block     = []string{"rpc block"}
)

const (
	inclusion     = "which block a transaction gets into"
	soFar         = "blocks so far"
	blockTime     = "the time of the block"
	stateHash     = "hashes of the whole state and of times"
	validatorKey  = "the validator's key"
	nodeKey       = "a key of the node"
	freePorts     = "free ports"
	otherContract = "the recorded code is unknown; another one replaces it"
)

// masks are all places at which an answer may differ from the recording because no two chains agree there. A rule states
// what must still hold.
var masks = []fidelity.Mask{
	fidelity.NewMask(nodeInfo, []string{"default_node_info.default_node_id"}, fidelity.HexNodeID, nodeKey),
	fidelity.NewMask(nodeInfo, []string{"default_node_info.listen_addr", "default_node_info.other.rpc_address"}, fidelity.Loopback, freePorts),

	fidelity.NewMask(lookups, []string{"tx_response.height"}, fidelity.Height{}, inclusion),
	fidelity.NewMask(lookups, []string{"tx_response.timestamp"}, fidelity.Second, blockTime),
	fidelity.NewMask(
		lookups, []string{"tx.body.messages[*].wasm_byte_code", "tx_response.tx.body.messages[*].wasm_byte_code"},
		moduleBytes, otherContract,
	),
	fidelity.NewMask(contracts, []string{"contract_info.created.block_height", "entries[*].updated.block_height"}, fidelity.Height{}, inclusion),

	fidelity.NewMask([]string{"rpc abci_info"}, []string{"result.response.last_block_height"}, fidelity.Decimal, soFar),
	fidelity.NewMask([]string{"rpc abci_info"}, []string{"result.response.last_block_app_hash"}, fidelity.Base64Hash, "a hash of the whole state"),

	fidelity.NewMask(status, []string{"result.node_info.id"}, fidelity.HexNodeID, nodeKey),
	fidelity.NewMask(status, []string{"result.node_info.listen_addr", "result.node_info.other.rpc_address"}, fidelity.Loopback, freePorts),
	fidelity.NewMask(status, []string{"result.sync_info.latest_block_height"}, fidelity.Decimal, soFar),
	fidelity.NewMask(status, []string{"result.sync_info.latest_block_time", "result.sync_info.earliest_block_time"}, fidelity.Nanosecond, "times of blocks"),
	fidelity.NewMask(
		status, []string{"result.sync_info.latest_block_hash", "result.sync_info.latest_app_hash", "result.sync_info.earliest_block_hash"},
		fidelity.HexHash, stateHash,
	),
	fidelity.NewMask(status, []string{"result.validator_info.address"}, fidelity.HexAddress, validatorKey),
	fidelity.NewMask(status, []string{"result.validator_info.pub_key.value"}, fidelity.Base64Hash, validatorKey),

	fidelity.NewMask(queries, []string{"result.response.height"}, fidelity.Decimal, soFar),
	fidelity.NewMask(infos, []string{"result.response.value.contract_info.created.block_height"}, fidelity.Height{}, inclusion),
	fidelity.NewMask(searches, []string{"result.txs[*].height"}, fidelity.Height{}, inclusion),
	fidelity.NewMask([]string{"rpc tx"}, []string{"result.height"}, fidelity.Height{}, inclusion),

	fidelity.NewMask(block, []string{"result.block.header.height", "result.block.last_commit.height"}, fidelity.Decimal, soFar),
	fidelity.NewMask(block, []string{"result.block.header.time", "result.block.last_commit.signatures[*].timestamp"}, fidelity.Nanosecond, blockTime),
	fidelity.NewMask(
		block, []string{
			"result.block_id.hash", "result.block_id.parts.hash", "result.block.header.app_hash", "result.block.header.last_block_id.hash",
			"result.block.header.last_block_id.parts.hash", "result.block.header.last_commit_hash", "result.block.last_commit.block_id.hash",
			"result.block.last_commit.block_id.parts.hash",
		}, fidelity.HexHash, stateHash,
	),
	fidelity.NewMask(block, []string{"result.block.header.validators_hash", "result.block.header.next_validators_hash"}, fidelity.HexHash, validatorKey),
	fidelity.NewMask(block, []string{"result.block.header.proposer_address", "result.block.last_commit.signatures[*].validator_address"}, fidelity.HexAddress, validatorKey),
	fidelity.NewMask(block, []string{"result.block.last_commit.signatures[*].signature"}, fidelity.Base64Signature, validatorKey),
}
