package move_test

import "github.com/vipscore/vipscore/tools/vipnode/test/fidelity"

var (
	nodeInfo     = []string{"GET /cosmos/base/tendermint/v1beta1/node_info"}
	blocks       = []string{"GET /cosmos/base/tendermint/v1beta1/blocks/latest", "GET /cosmos/tx/v1beta1/txs/block/*"}
	newestBlock  = blocks[:1]
	lookups      = []string{"GET /cosmos/tx/v1beta1/txs/*"}
	searches     = []string{"GET /cosmos/tx/v1beta1/txs"}
	accountReads = []string{"GET /initia/move/v1/accounts/*"}
	tableReads   = []string{"GET /initia/move/v1/tables/*"}
)

// masks are all places at which an answer may differ from the recording because no two chains agree there. A rule states
// what must still hold.
var masks = []fidelity.Mask{
	fidelity.NewMask(nodeInfo, []string{"default_node_info.default_node_id"}, fidelity.HexNodeID, "a key of the node"),
	fidelity.NewMask(nodeInfo, []string{"default_node_info.listen_addr", "default_node_info.other.rpc_address"}, fidelity.Loopback, "free ports"),

	fidelity.NewMask(lookups, []string{"tx_response.height"}, fidelity.Height{}, "which block a transaction gets into"),
	fidelity.NewMask(lookups, []string{"tx_response.timestamp"}, fidelity.Second, "the time of the block"),
	fidelity.NewMask(searches, []string{"tx_responses[*].height"}, fidelity.Height{}, "which block a transaction gets into"),
	fidelity.NewMask(searches, []string{"tx_responses[*].timestamp"}, fidelity.Second, "the time of the block"),

	// A table is named after the transaction that creates it and the state that the transaction runs on.
	fidelity.NewMask(accountReads, []string{"resource.move_resource", "resources[*].move_resource"}, fidelity.Handles{}, "names of tables"),
	fidelity.NewMask(tableReads, []string{"table_entries[*].value"}, fidelity.Handles{}, "names of tables"),

	fidelity.NewMask(newestBlock, []string{"block.header.height", "sdk_block.header.height", "sdk_block.last_commit.height"}, fidelity.Decimal, "blocks so far"),
	fidelity.NewMask(blocks[1:], []string{"block.header.height"}, fidelity.Height{}, "which block a transaction gets into"),
	fidelity.NewMask(blocks, []string{"block.last_commit.height"}, fidelity.Decimal, "blocks so far"),
	fidelity.NewMask(newestBlock, []string{"sdk_block.header.time", "sdk_block.last_commit.signatures[*].timestamp"}, fidelity.Nanosecond, "the time of the block"),
	fidelity.NewMask(blocks, []string{"block.header.time", "block.last_commit.signatures[*].timestamp"}, fidelity.Nanosecond, "the time of the block"),
	fidelity.NewMask(
		newestBlock, []string{
			"sdk_block.header.app_hash", "sdk_block.header.last_block_id.hash", "sdk_block.header.last_block_id.part_set_header.hash",
			"sdk_block.header.last_commit_hash", "sdk_block.last_commit.block_id.hash", "sdk_block.last_commit.block_id.part_set_header.hash",
		}, fidelity.Base64Hash, "hashes of the whole state and of times",
	),
	fidelity.NewMask(
		blocks, []string{
			"block.header.app_hash", "block.header.last_block_id.hash", "block.header.last_block_id.part_set_header.hash",
			"block.header.last_commit_hash", "block.last_commit.block_id.hash", "block.last_commit.block_id.part_set_header.hash",
			"block_id.hash", "block_id.part_set_header.hash",
		}, fidelity.Base64Hash, "hashes of the whole state and of times",
	),
	fidelity.NewMask(newestBlock, []string{"sdk_block.header.validators_hash", "sdk_block.header.next_validators_hash"}, fidelity.Base64Hash, "the validator's key"),
	fidelity.NewMask(blocks, []string{"block.header.validators_hash", "block.header.next_validators_hash"}, fidelity.Base64Hash, "the validator's key"),
	fidelity.NewMask(newestBlock, []string{"sdk_block.header.proposer_address"}, fidelity.Valcons, "the validator's key"),
	fidelity.NewMask(newestBlock, []string{"sdk_block.last_commit.signatures[*].validator_address"}, fidelity.Base64Address, "the validator's key"),
	fidelity.NewMask(blocks, []string{"block.header.proposer_address", "block.last_commit.signatures[*].validator_address"}, fidelity.Base64Address, "the validator's key"),
	fidelity.NewMask(newestBlock, []string{"sdk_block.last_commit.signatures[*].signature"}, fidelity.Base64Signature, "the validator's key"),
	fidelity.NewMask(blocks, []string{"block.last_commit.signatures[*].signature"}, fidelity.Base64Signature, "the validator's key"),

	fidelity.NewMask([]string{"rpc abci_info"}, []string{"result.response.last_block_height"}, fidelity.Decimal, "blocks so far"),
	fidelity.NewMask([]string{"rpc abci_info"}, []string{"result.response.last_block_app_hash"}, fidelity.Base64Hash, "a hash of the whole state"),

	fidelity.NewMask([]string{"rpc status"}, []string{"result.node_info.id"}, fidelity.HexNodeID, "a key of the node"),
	fidelity.NewMask([]string{"rpc status"}, []string{"result.node_info.listen_addr", "result.node_info.other.rpc_address"}, fidelity.Loopback, "free ports"),
	fidelity.NewMask([]string{"rpc status"}, []string{"result.sync_info.latest_block_height"}, fidelity.Decimal, "blocks so far"),
	fidelity.NewMask([]string{"rpc status"}, []string{"result.sync_info.latest_block_time", "result.sync_info.earliest_block_time"}, fidelity.Nanosecond, "times of blocks"),
	fidelity.NewMask(
		[]string{"rpc status"}, []string{
			"result.sync_info.latest_block_hash", "result.sync_info.latest_app_hash", "result.sync_info.earliest_block_hash",
		}, fidelity.HexHash, "hashes of the whole state and of times",
	),
	fidelity.NewMask([]string{"rpc status"}, []string{"result.validator_info.address"}, fidelity.HexAddress, "the validator's key"),
	fidelity.NewMask([]string{"rpc status"}, []string{"result.validator_info.pub_key.value"}, fidelity.Base64Hash, "the validator's key"),

	fidelity.NewMask([]string{"rpc block"}, []string{"result.block.header.height"}, fidelity.Height{}, "which block a transaction gets into"),
	fidelity.NewMask([]string{"rpc block"}, []string{"result.block.last_commit.height"}, fidelity.Decimal, "blocks so far"),
	fidelity.NewMask([]string{"rpc block"}, []string{"result.block.header.time", "result.block.last_commit.signatures[*].timestamp"}, fidelity.Nanosecond, "the time of the block"),
	fidelity.NewMask(
		[]string{"rpc block"}, []string{
			"result.block_id.hash", "result.block_id.parts.hash", "result.block.header.app_hash", "result.block.header.last_block_id.hash",
			"result.block.header.last_block_id.parts.hash", "result.block.header.last_commit_hash", "result.block.last_commit.block_id.hash",
			"result.block.last_commit.block_id.parts.hash",
		}, fidelity.HexHash, "hashes of the whole state and of times",
	),
	fidelity.NewMask([]string{"rpc block"}, []string{"result.block.header.validators_hash", "result.block.header.next_validators_hash"}, fidelity.HexHash, "the validator's key"),
	fidelity.NewMask([]string{"rpc block"}, []string{"result.block.header.proposer_address", "result.block.last_commit.signatures[*].validator_address"}, fidelity.HexAddress, "the validator's key"),
	fidelity.NewMask([]string{"rpc block"}, []string{"result.block.last_commit.signatures[*].signature"}, fidelity.Base64Signature, "the validator's key"),

	fidelity.NewMask([]string{"rpc block_results", "rpc tx"}, []string{"result.height"}, fidelity.Height{}, "which block a transaction gets into"),
	fidelity.NewMask([]string{"rpc tx_search"}, []string{"result.txs[*].height"}, fidelity.Height{}, "which block a transaction gets into"),
	fidelity.NewMask([]string{"rpc block_results"}, []string{"result.app_hash"}, fidelity.Base64Hash, "a hash of the whole state"),
}
