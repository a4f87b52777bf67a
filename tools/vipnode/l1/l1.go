// Package l1 makes a development chain play Initia's L1 for tools that read VIP: it holds small Move modules with the layout and
// the rules of L1's: `vip` with the stages, the bridges and the snapshots, `operator` with the operators and their commission, and
// `vesting` with the claims.
// The agent is a test account. Governance is here too, the Cosmos SDK's: every proposal with a sufficient deposit passes after a
// voting period of one block.
package l1

import (
	"embed"
	"encoding/binary"
	"encoding/hex"
	"path"
	"time"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/x/move"
)

// modules are compiled from vip/; a test recompiles them and compares.
//
//go:embed modules/*.mv
var modules embed.FS

// moduleNames are in the order in which they must be published: each only uses those before it.
var moduleNames = []string{"bank", "gas_price", "merkle", "operator", "stages", "tvl_manager", "bridges", "vault", "vesting", "vip"}

// agentURI is where the agent would publish the scores that its snapshots are made of.
const agentURI = "https://agent.example"

// address is where the modules are published, as in vip/Move.toml.
var address = [32]byte([]byte("vipnode: L1's vip for tests only"))

// Address is where the modules are published: 0x and 64 hex digits.
func Address() string {
	return "0x" + hex.EncodeToString(address[:])
}

// agent submits snapshots and ends stages.
func agent() chain.TestAccount { return chain.Operator(chain.EthCoinType) }

// genesis returns the initial contents of a new chain: the modules, and stage 1, which starts at the genesis time and is due to
// end two weeks later.
func genesis() move.GenesisModules {
	code := make([][]byte, len(moduleNames))
	for i, name := range moduleNames {
		module, err := modules.ReadFile(moduleFile(name))
		if err != nil {
			panic(err)
		}
		code[i] = module
	}
	return move.GenesisModules{
		Publisher: address,
		Code:      code,
		Calls: func(genesisTime time.Time) []move.EntryCall {
			startTime := binary.LittleEndian.AppendUint64(nil, uint64(genesisTime.Unix()))
			agentAddress := append(make([]byte, 12), agent().Address...)
			uri := append([]byte{byte(len(agentURI))}, agentURI...)
			return []move.EntryCall{{
				Module: "vip", Function: "initialize", Arguments: [][]byte{startTime, agentAddress, uri},
			}}
		},
	}
}

func moduleFile(name string) string { return path.Join("modules", name+".mv") }
