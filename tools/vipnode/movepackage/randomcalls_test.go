package movepackage

import (
	"encoding/binary"
	"math"
	"math/rand"
	"strconv"

	"github.com/initia-labs/movevm/types"
)

// callers make random calls; the first is the publisher and the initial owner.
var callers = []types.AccountAddress{publisher, deployer, accountOf(30_001), accountOf(30_002), accountOf(30_003)}

// scoredAccounts are few, so that writes collide; they include the zero address and a 32-byte address.
var scoredAccounts = []types.AccountAddress{
	{}, {0: 0xff, 31: 1}, accountOf(1), accountOf(2), accountOf(3), accountOf(4), accountOf(5), publisher,
}

// The weight of each function.
var functionWeights = []struct {
	function string
	weight   int
}{
	{"update_score_script", 14}, {"update_scores_script", 14},
	{"update_score", 6}, {"increase_score", 8}, {"decrease_score", 8},
	{"finalize_script", 2}, {"finalize_checked_script", 8},
	{"set_init_stage", 2},
	{"add_deployer_script", 5}, {"remove_deployer_script", 2},
	{"owner_add_deployer_script", 4}, {"owner_remove_deployer_script", 3}, {"set_deployers_script", 2},
	{"transfer_ownership_script", 3}, {"accept_ownership_script", 3},
	{"set_finalizer_script", 4}, {"set_publisher_manages_script", 4}, {"complete_upgrade_script", 1},
}

// randomCall returns a call that is often valid: half of the stages, callers and expectations fit the model's state.
func randomCall(r *rand.Rand, m *scoringModel) scoringCall {
	top := m.top()
	stage, isThere := m.stages[top]
	if !isThere {
		stage = &stageModel{}
	}
	c := scoringCall{
		function: randomFunction(r),
		sender:   pick(r, callers),
		account:  pick(r, callers),
		stage:    top,
		total:    stage.total,
		count:    uint64(len(stage.scores)),
		revision: stage.revision,
		allowed:  r.Intn(2) == 0,
	}
	if m.isIncomplete && r.Intn(4) == 0 {
		c.function = "complete_upgrade_script"
	} else if !isThere && r.Intn(2) == 0 {
		// So that most calls of a run use an existing stage.
		c.function = pick(r, []string{"owner_add_deployer_script", "set_init_stage"})
	}
	if r.Intn(2) == 0 {
		c.sender = likelySender(r, m, c)
	}
	switch c.function {
	case "update_score_script", "update_scores_script":
		c.addrs, c.scores = randomRows(r, stage)
	case "update_score", "increase_score", "decrease_score":
		c.account, c.amount = pick(r, scoredAccounts), randomScore(r, stage)
		if c.function == "decrease_score" && r.Intn(2) == 0 {
			c.amount = stage.scores[c.account] - min(stage.scores[c.account], uint64(r.Intn(2))) + uint64(r.Intn(2))
		}
	case "set_deployers_script":
		for range r.Intn(5) {
			c.addrs = append(c.addrs, pick(r, callers))
		}
	case "set_init_stage":
		c.stage = pick(r, []uint64{0, 1, 1, 7, math.MaxUint64 - 2})
	case "set_finalizer_script":
		if finalizer := pick(r, callers); r.Intn(2) == 0 {
			c.finalizer = &finalizer
		}
	}
	if c.function != "set_init_stage" && r.Intn(6) == 0 {
		c.stage += pick(r, []uint64{1, math.MaxUint64, math.MaxUint64 - 1, -top})
	}
	if r.Intn(3) == 0 {
		field := pick(r, []*uint64{&c.total, &c.count, &c.revision})
		*field += pick(r, []uint64{1, math.MaxUint64})
	}
	return c
}

func randomFunction(r *rand.Rand) string {
	sum := 0
	for _, each := range functionWeights {
		sum += each.weight
	}
	left := r.Intn(sum)
	for _, each := range functionWeights {
		if left < each.weight {
			return each.function
		}
		left -= each.weight
	}
	panic("the index is above the sum of the weights")
}

// likelySender returns an account that may make the call.
func likelySender(r *rand.Rand, m *scoringModel, c scoringCall) types.AccountAddress {
	switch c.function {
	case "add_deployer_script", "remove_deployer_script", "complete_upgrade_script":
		return publisher
	case "accept_ownership_script":
		if m.pendingOwner != nil {
			return *m.pendingOwner
		}
	case "finalize_script", "finalize_checked_script":
		if m.finalizer != nil {
			return *m.finalizer
		}
	case "transfer_ownership_script", "set_finalizer_script", "set_publisher_manages_script",
		"owner_add_deployer_script", "owner_remove_deployer_script", "set_deployers_script":
		return m.owner
	}
	for _, caller := range callers[r.Intn(len(callers)):] {
		if m.deployers[caller] {
			return caller
		}
	}
	return pick(r, callers)
}

// randomRows returns a batch of up to five rows, sometimes with an account twice, or with an incomplete row.
func randomRows(r *rand.Rand, stage *stageModel) ([]types.AccountAddress, []uint64) {
	count := r.Intn(6)
	addrs, scores := make([]types.AccountAddress, count), make([]uint64, count)
	for i := range count {
		addrs[i], scores[i] = pick(r, scoredAccounts), randomScore(r, stage)
	}
	switch r.Intn(20) {
	case 0:
		scores = append(scores, 1)
	case 1:
		addrs = append(addrs, publisher)
	}
	return addrs, scores
}

// randomScore returns a small score, or one near the limit of the total or of a u64.
func randomScore(r *rand.Rand, stage *stageModel) uint64 {
	switch r.Intn(8) {
	case 0:
		return 0
	case 1:
		return math.MaxUint64 - stage.total
	case 2:
		return math.MaxUint64 - stage.total + 1
	case 3:
		return math.MaxUint64 - uint64(r.Intn(3))
	default:
		return uint64(r.Intn(100))
	}
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.Intn(len(from))] }

func inText(value uint64) string { return strconv.FormatUint(value, 10) }

// arguments returns the arguments of a call in BCS, without the signer.
func (c scoringCall) arguments() [][]byte {
	stage := inBCS(c.stage)
	switch c.function {
	case "update_score_script", "update_scores_script":
		scores := binary.AppendUvarint(nil, uint64(len(c.scores)))
		for _, score := range c.scores {
			scores = append(scores, inBCS(score)...)
		}
		return [][]byte{stage, inBCSList(c.addrs), scores}
	case "update_score", "increase_score", "decrease_score":
		return [][]byte{c.account[:], stage, inBCS(c.amount)}
	case "set_init_stage", "finalize_script":
		return [][]byte{stage}
	case "finalize_checked_script":
		return [][]byte{stage, inBCS(c.total), inBCS(c.count), inBCS(c.revision)}
	case "accept_ownership_script", "complete_upgrade_script":
		return nil
	case "set_deployers_script":
		return [][]byte{inBCSList(c.addrs)}
	case "set_finalizer_script":
		if c.finalizer == nil {
			return [][]byte{{0}}
		}
		return [][]byte{someAddress(*c.finalizer)}
	case "set_publisher_manages_script":
		return [][]byte{inBCSBool(c.allowed)}
	default:
		return [][]byte{c.account[:]}
	}
}

// inBCSList returns a vector of addresses in BCS.
func inBCSList(accounts []types.AccountAddress) []byte {
	encoded := binary.AppendUvarint(nil, uint64(len(accounts)))
	for _, account := range accounts {
		encoded = append(encoded, account[:]...)
	}
	return encoded
}
