// Package l1 makes a development chain play Initia's L1 for tools that read VIP: it holds small Move modules: `vip` with the
// resource ModuleStore, bridges and snapshots, and `operator` with the operators and their commission. On the real L1, VIP's agent advances the stage and submits snapshots, and
// governance registers bridges; here any account can, with vip::set_stage, vip::advance_stage, vip::submit_snapshot,
// vip::register and vip::update_l2_score_contract. Governance is here too, the Cosmos SDK's: every proposal with a sufficient
// deposit passes after a voting period of one block.
package l1

import (
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/vipscore/vipscore/tools/vipnode/x/move"
)

// Compiled from vip/; a test recompiles them and compares.
var (
	//go:embed operator.mv
	operatorModule []byte
	//go:embed vip.mv
	vipModule []byte
)

// address is where the module is published, as in vip/Move.toml.
var address = [32]byte([]byte("vipnode: L1's vip for tests only"))

// Address is where the module is published: 0x and 64 hex digits.
func Address() string {
	return "0x" + hex.EncodeToString(address[:])
}

// genesis returns the initial contents of a new chain: the module, and its stage 1, which starts at the genesis time and is
// due to end two weeks later.
func genesis() move.GenesisModules {
	return move.GenesisModules{
		Publisher: address,
		Code:      [][]byte{operatorModule, vipModule},
		Calls: func(genesisTime time.Time) []move.EntryCall {
			startTime := binary.LittleEndian.AppendUint64(nil, uint64(genesisTime.Unix()))
			return []move.EntryCall{{Module: "vip", Function: "initialize", Arguments: [][]byte{startTime}}}
		},
	}
}
