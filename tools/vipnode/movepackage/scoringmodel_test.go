package movepackage

import (
	"maps"
	"math"

	"github.com/initia-labs/movevm/types"
)

// scoringModel is the scoring contract as docs/spec.md describes it, written without looking at the module: what a call
// changes, which events it emits, and the code that it aborts with.
type scoringModel struct {
	initStage    uint64
	deployers    map[types.AccountAddress]bool
	owner        types.AccountAddress
	pendingOwner *types.AccountAddress
	finalizer    *types.AccountAddress
	// publisherManages is whether a publisher that is not the owner manages deployers.
	publisherManages bool
	stages           map[uint64]*stageModel
	// isIncomplete is true in a reference contract that was upgraded in place, until its publisher completes that.
	isIncomplete bool
}

type stageModel struct {
	total     uint64
	finalized bool
	revision  uint64
	scores    map[types.AccountAddress]uint64
}

// scoringCall is a call of any function of the contract; each function uses the fields for its arguments.
type scoringCall struct {
	function string
	sender   types.AccountAddress
	// account is a deployer, a new owner, or the scored account.
	account types.AccountAddress
	stage   uint64
	amount  uint64
	addrs   []types.AccountAddress
	scores  []uint64
	// The expectation of a checked finalize.
	total, count, revision uint64
	// finalizer is nil for none.
	finalizer *types.AccountAddress
	allowed   bool
}

// scoringEvent is an event's name and its fields as the VM writes them in JSON.
type scoringEvent struct {
	name   string
	fields map[string]any
}

func newScoringModel(isUpgraded bool) *scoringModel {
	return &scoringModel{
		deployers: map[types.AccountAddress]bool{}, owner: publisher, publisherManages: true,
		stages: map[uint64]*stageModel{}, isIncomplete: isUpgraded,
	}
}

// apply makes a call and returns its events, or the code of the abort, which changes nothing.
func (m *scoringModel) apply(c scoringCall) ([]scoringEvent, int) {
	switch {
	case c.function == "complete_upgrade_script":
		if c.sender != publisher {
			return nil, 0x50001
		}
		m.isIncomplete = false
		return nil, 0
	case c.function == "set_init_stage" && c.stage == 0:
		return nil, 0x10009
	case m.isIncomplete:
		return nil, 0x3000f
	}
	switch c.function {
	case "update_score_script", "update_scores_script", "update_score", "increase_score", "decrease_score":
		return m.write(c)
	case "set_init_stage":
		return m.setInitStage(c)
	case "finalize_script", "finalize_checked_script":
		return m.finalize(c)
	case "add_deployer_script", "remove_deployer_script", "owner_add_deployer_script", "owner_remove_deployer_script":
		return m.manage(c)
	case "set_deployers_script":
		return m.replaceDeployers(c)
	default:
		return m.own(c)
	}
}

func (m *scoringModel) write(c scoringCall) ([]scoringEvent, int) {
	if !m.deployers[c.sender] {
		return nil, 0x10001
	}
	isBatch := c.function == "update_score_script" || c.function == "update_scores_script"
	if isBatch && len(c.addrs) != len(c.scores) {
		return nil, 0x10006
	}
	stage, code := m.openStage(c.stage)
	if code != 0 {
		return nil, code
	}
	addrs, scores := c.addrs, c.scores
	if !isBatch {
		score, code := newScore(c, stage.scores[c.account])
		if code != 0 {
			return nil, code
		}
		addrs, scores = []types.AccountAddress{c.account}, []uint64{score}
	}
	after := maps.Clone(stage.scores)
	total := stage.total
	var events []scoringEvent
	for i, account := range addrs {
		total -= after[account]
		if scores[i] > math.MaxUint64-total {
			return nil, 0x2000b
		}
		total += scores[i]
		after[account] = scores[i]
		if c.function != "update_scores_script" {
			events = append(events, scoringEvent{"UpdateScoreEvent", map[string]any{
				"account": inHex(account), "stage": inText(c.stage), "score": inText(scores[i]), "total_score": inText(total),
			}})
		}
	}
	if c.function == "update_scores_script" {
		events = append(events, scoringEvent{"UpdateScoresEvent", map[string]any{
			"stage": inText(c.stage), "count": inText(uint64(len(addrs))), "total_score": inText(total),
		}})
	}
	stage.scores, stage.total = after, total
	if len(addrs) > 0 {
		stage.revision++
	}
	return events, 0
}

// newScore returns an account's score after a write; an account without a score has 0.
func newScore(c scoringCall, score uint64) (uint64, int) {
	switch {
	case c.function == "update_score":
		return c.amount, 0
	case c.function == "increase_score" && c.amount > math.MaxUint64-score:
		return 0, 0x2000b
	case c.function == "increase_score":
		return score + c.amount, 0
	case c.amount > score:
		return 0, 0x10002
	default:
		return score - c.amount, 0
	}
}

func (m *scoringModel) openStage(number uint64) (*stageModel, int) {
	stage := m.stages[number]
	if stage == nil {
		return nil, 0x10003
	}
	if stage.finalized {
		return nil, 0x10008
	}
	return stage, 0
}

func (m *scoringModel) createStage(number uint64) {
	m.stages[number] = &stageModel{scores: map[types.AccountAddress]uint64{}}
}

func (m *scoringModel) setInitStage(c scoringCall) ([]scoringEvent, int) {
	switch {
	case !m.deployers[c.sender]:
		return nil, 0x10001
	case m.initStage != 0:
		return nil, 0x8000a
	}
	m.initStage = c.stage
	m.createStage(c.stage)
	return nil, 0
}

func (m *scoringModel) finalize(c scoringCall) ([]scoringEvent, int) {
	if m.finalizer != nil {
		if *m.finalizer != c.sender {
			return nil, 0x50010
		}
	} else if !m.deployers[c.sender] {
		return nil, 0x10001
	}
	stage, code := m.openStage(c.stage)
	if code != 0 {
		return nil, code
	}
	found, expected := [3]uint64{stage.total, uint64(len(stage.scores)), stage.revision}, [3]uint64{c.total, c.count, c.revision}
	if c.function == "finalize_checked_script" && found != expected {
		return nil, 0x3000c
	}
	stage.finalized = true
	if c.stage != math.MaxUint64 {
		m.createStage(c.stage + 1)
	}
	return []scoringEvent{{"FinalizedScoreEvent", map[string]any{"stage": inText(c.stage)}}}, 0
}

func (m *scoringModel) manage(c scoringCall) ([]scoringEvent, int) {
	isPublished := c.function == "add_deployer_script" || c.function == "remove_deployer_script"
	switch {
	case isPublished && c.sender != publisher:
		return nil, 0x50001
	case isPublished && m.publisherManages:
	case c.sender != m.owner:
		return nil, 0x5000d
	}
	fields := map[string]any{"deployer": inHex(c.account)}
	if c.function == "add_deployer_script" || c.function == "owner_add_deployer_script" {
		if m.deployers[c.account] {
			return nil, 0x10004
		}
		m.deployers[c.account] = true
		return []scoringEvent{{"DeployerAddedEvent", fields}}, 0
	}
	if !m.deployers[c.account] {
		return nil, 0x10005
	}
	delete(m.deployers, c.account)
	return []scoringEvent{{"DeployerRemovedEvent", fields}}, 0
}

func (m *scoringModel) replaceDeployers(c scoringCall) ([]scoringEvent, int) {
	if c.sender != m.owner {
		return nil, 0x5000d
	}
	events := []scoringEvent{{"DeployersClearedEvent", map[string]any{"count": inText(uint64(len(m.deployers)))}}}
	m.deployers = map[types.AccountAddress]bool{}
	for _, account := range c.addrs {
		if !m.deployers[account] {
			m.deployers[account] = true
			events = append(events, scoringEvent{"DeployerAddedEvent", map[string]any{"deployer": inHex(account)}})
		}
	}
	return events, 0
}

// own makes the calls of owner, new owner and publisher, except those about deployers.
func (m *scoringModel) own(c scoringCall) ([]scoringEvent, int) {
	if c.function == "accept_ownership_script" {
		if m.pendingOwner == nil || *m.pendingOwner != c.sender {
			return nil, 0x5000e
		}
		fields := map[string]any{"previous_owner": inHex(m.owner), "new_owner": inHex(c.sender)}
		m.owner, m.pendingOwner = c.sender, nil
		return []scoringEvent{{"OwnershipTransferredEvent", fields}}, 0
	}
	if c.sender != m.owner {
		return nil, 0x5000d
	}
	if c.function == "transfer_ownership_script" {
		m.pendingOwner = &c.account
		fields := map[string]any{"previous_owner": inHex(m.owner), "new_owner": inHex(c.account)}
		return []scoringEvent{{"OwnershipTransferStartedEvent", fields}}, 0
	}
	if c.function == "set_finalizer_script" {
		m.finalizer = c.finalizer
		return []scoringEvent{{"FinalizerSetEvent", map[string]any{"finalizer": optional(c.finalizer)}}}, 0
	}
	m.publisherManages = c.allowed
	return []scoringEvent{{"PublisherManagesSetEvent", map[string]any{"allowed": c.allowed}}}, 0
}
