package fidelity_test

var (
	nodeInfo     = []string{"GET /cosmos/base/tendermint/v1beta1/node_info"}
	blocks       = []string{"GET /cosmos/base/tendermint/v1beta1/blocks/latest", "GET /cosmos/tx/v1beta1/txs/block/*"}
	newestBlock  = blocks[:1]
	lookups      = []string{"GET /cosmos/tx/v1beta1/txs/*"}
	searches     = []string{"GET /cosmos/tx/v1beta1/txs"}
	accountReads = []string{"GET /initia/move/v1/accounts/*"}
	tableReads   = []string{"GET /initia/move/v1/tables/*"}
)

// masks are all places at which an answer may differ from the recorded one because no two chains agree there. A rule says
// what has to hold all the same.
var masks = []mask{
	{nodeInfo, []string{"default_node_info.default_node_id"}, hexNodeID, "a key of the node", seen()},
	{nodeInfo, []string{"default_node_info.listen_addr", "default_node_info.other.rpc_address"}, loopback, "free ports", seen()},

	{lookups, []string{"tx_response.height"}, height{}, "which block a transaction gets into", seen()},
	{lookups, []string{"tx_response.timestamp"}, second, "the time of the block", seen()},
	{searches, []string{"tx_responses[*].height"}, height{}, "which block a transaction gets into", seen()},
	{searches, []string{"tx_responses[*].timestamp"}, second, "the time of the block", seen()},

	// A table is named after the transaction that makes it and the state that this runs on.
	{accountReads, []string{"resource.move_resource", "resources[*].move_resource"}, handles{}, "names of tables", seen()},
	{tableReads, []string{"table_entries[*].value"}, handles{}, "names of tables", seen()},

	{newestBlock, []string{"block.header.height", "sdk_block.header.height", "sdk_block.last_commit.height"}, decimal, "blocks so far", seen()},
	{blocks[1:], []string{"block.header.height"}, height{}, "which block a transaction gets into", seen()},
	{blocks, []string{"block.last_commit.height"}, decimal, "blocks so far", seen()},
	{newestBlock, []string{"sdk_block.header.time", "sdk_block.last_commit.signatures[*].timestamp"}, nanosecond, "the time of the block", seen()},
	{blocks, []string{"block.header.time", "block.last_commit.signatures[*].timestamp"}, nanosecond, "the time of the block", seen()},
	{
		newestBlock, []string{
			"sdk_block.header.app_hash", "sdk_block.header.last_block_id.hash", "sdk_block.header.last_block_id.part_set_header.hash",
			"sdk_block.header.last_commit_hash", "sdk_block.last_commit.block_id.hash", "sdk_block.last_commit.block_id.part_set_header.hash",
		}, base64Hash, "hashes of the whole state and of times", seen(),
	},
	{
		blocks, []string{
			"block.header.app_hash", "block.header.last_block_id.hash", "block.header.last_block_id.part_set_header.hash",
			"block.header.last_commit_hash", "block.last_commit.block_id.hash", "block.last_commit.block_id.part_set_header.hash",
			"block_id.hash", "block_id.part_set_header.hash",
		}, base64Hash, "hashes of the whole state and of times", seen(),
	},
	{newestBlock, []string{"sdk_block.header.validators_hash", "sdk_block.header.next_validators_hash"}, base64Hash, "the validator's key", seen()},
	{blocks, []string{"block.header.validators_hash", "block.header.next_validators_hash"}, base64Hash, "the validator's key", seen()},
	{newestBlock, []string{"sdk_block.header.proposer_address"}, valcons, "the validator's key", seen()},
	{newestBlock, []string{"sdk_block.last_commit.signatures[*].validator_address"}, base64Address, "the validator's key", seen()},
	{blocks, []string{"block.header.proposer_address", "block.last_commit.signatures[*].validator_address"}, base64Address, "the validator's key", seen()},
	{newestBlock, []string{"sdk_block.last_commit.signatures[*].signature"}, base64Signature, "the validator's key", seen()},
	{blocks, []string{"block.last_commit.signatures[*].signature"}, base64Signature, "the validator's key", seen()},

	{[]string{"rpc abci_info"}, []string{"result.response.last_block_height"}, decimal, "blocks so far", seen()},
	{[]string{"rpc abci_info"}, []string{"result.response.last_block_app_hash"}, base64Hash, "a hash of the whole state", seen()},

	{[]string{"rpc status"}, []string{"result.node_info.id"}, hexNodeID, "a key of the node", seen()},
	{[]string{"rpc status"}, []string{"result.node_info.listen_addr", "result.node_info.other.rpc_address"}, loopback, "free ports", seen()},
	{[]string{"rpc status"}, []string{"result.sync_info.latest_block_height"}, decimal, "blocks so far", seen()},
	{[]string{"rpc status"}, []string{"result.sync_info.latest_block_time", "result.sync_info.earliest_block_time"}, nanosecond, "times of blocks", seen()},
	{
		[]string{"rpc status"}, []string{
			"result.sync_info.latest_block_hash", "result.sync_info.latest_app_hash", "result.sync_info.earliest_block_hash",
		}, hexHash, "hashes of the whole state and of times", seen(),
	},
	{[]string{"rpc status"}, []string{"result.validator_info.address"}, hexAddress, "the validator's key", seen()},
	{[]string{"rpc status"}, []string{"result.validator_info.pub_key.value"}, base64Hash, "the validator's key", seen()},

	{[]string{"rpc block"}, []string{"result.block.header.height"}, height{}, "which block a transaction gets into", seen()},
	{[]string{"rpc block"}, []string{"result.block.last_commit.height"}, decimal, "blocks so far", seen()},
	{[]string{"rpc block"}, []string{"result.block.header.time", "result.block.last_commit.signatures[*].timestamp"}, nanosecond, "the time of the block", seen()},
	{
		[]string{"rpc block"}, []string{
			"result.block_id.hash", "result.block_id.parts.hash", "result.block.header.app_hash", "result.block.header.last_block_id.hash",
			"result.block.header.last_block_id.parts.hash", "result.block.header.last_commit_hash", "result.block.last_commit.block_id.hash",
			"result.block.last_commit.block_id.parts.hash",
		}, hexHash, "hashes of the whole state and of times", seen(),
	},
	{[]string{"rpc block"}, []string{"result.block.header.validators_hash", "result.block.header.next_validators_hash"}, hexHash, "the validator's key", seen()},
	{[]string{"rpc block"}, []string{"result.block.header.proposer_address", "result.block.last_commit.signatures[*].validator_address"}, hexAddress, "the validator's key", seen()},
	{[]string{"rpc block"}, []string{"result.block.last_commit.signatures[*].signature"}, base64Signature, "the validator's key", seen()},

	{[]string{"rpc block_results", "rpc tx"}, []string{"result.height"}, height{}, "which block a transaction gets into", seen()},
	{[]string{"rpc tx_search"}, []string{"result.txs[*].height"}, height{}, "which block a transaction gets into", seen()},
	{[]string{"rpc block_results"}, []string{"result.app_hash"}, base64Hash, "a hash of the whole state", seen()},
}

func seen() map[string]bool { return map[string]bool{} }
