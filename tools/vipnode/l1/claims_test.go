package l1

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
)

// user is the account that claims besides the operator.
func user() chain.TestAccount { return chain.Deployer(chain.EthCoinType) }

const (
	// The stages 2 to 4 fund the users of the bridge with 380 and its operator with 20, in millions: it is the only bridge.
	usersReward    = 380_000_000
	operatorReward = 20_000_000
	vestingPeriod  = 4
)

func hash(parts ...[]byte) []byte {
	sum := sha3.Sum256(slices.Concat(parts...))
	return sum[:]
}

func leaf(stage uint64, who chain.TestAccount, score, total uint64) []byte {
	return hash(u64(bridgeID), u64(stage), account(who.Address), u64(score), u64(total))
}

// snapshot submits the scores of the user and the operator, and returns the user's proof.
func (c l1Client) snapshot(version, stage, userScore, operatorScore uint64) []byte {
	c.t.Helper()
	total := userScore + operatorScore
	one, other := leaf(stage, user(), userScore, total), leaf(stage, agent(), operatorScore, total)
	root := hash(one, other)
	if bytes.Compare(one, other) > 0 {
		root = hash(other, one)
	}
	log := c.call(agent(), "submit_snapshot", u64(bridgeID), u64(version), u64(stage), text(string(root)), u64(total))
	expect(c.t, "submit", log, "")
	return other
}

// claim claims stages from the first on, each with its score and its proof.
func (c l1Client) claim(version, first uint64, scores []uint64, proofs [][]byte) string {
	var stages, given, hashes [][]byte
	for i, score := range scores {
		stages, given = append(stages, u64(first+uint64(i))), append(given, u64(score))
		if proofs[i] == nil {
			hashes = append(hashes, list())
		} else {
			hashes = append(hashes, list(text(string(proofs[i]))))
		}
	}
	return c.call(user(), "batch_claim_user_reward_script",
		u64(bridgeID), u64(version), list(stages...), list(hashes...), list(given...))
}

func (c l1Client) claimOperator(from chain.TestAccount, version uint64) string {
	return c.call(from, "batch_claim_operator_reward_script", u64(bridgeID), u64(version))
}

// paid runs a claim that must succeed, and returns what it paid.
func (c l1Client) paid(to chain.TestAccount, claim func() string) int64 {
	c.t.Helper()
	before := c.Balance(to.Address)
	expect(c.t, "claim", claim(), "")
	return c.Balance(to.Address) - before + feePaid
}

// startFunded starts an L1 with one registered bridge, on which `ended` stages have ended; all but the first were funded.
func startFunded(t *testing.T, ended int) l1Client {
	t.Helper()
	client := startL1(t)
	client.registerWithBalance(bridgeID, 1000)
	expect(t, "parameters", client.call(agent(), "set_parameters", u64(1), u64(vestingPeriod), u64(0), u64(0)), "")
	for range ended {
		expect(t, "advance", client.call(agent(), "advance_stage"), "")
	}
	return client
}

// endChallenges sets the challenge period to 0 and waits until the chain's time, in seconds, is later than that of the last snapshot.
func (c l1Client) endChallenges() {
	c.t.Helper()
	for start := c.seconds(); ; {
		expect(c.t, "pass the time", c.call(agent(), "set_parameters", u64(1), u64(vestingPeriod), u64(0), u64(0)), "")
		if c.seconds() != start {
			return
		}
	}
}

// seconds is the time of the newest block without fractions.
func (c l1Client) seconds() string {
	c.t.Helper()
	var answer struct {
		Block struct {
			Header struct {
				Time string `json:"time"`
			} `json:"header"`
		} `json:"block"`
	}
	c.get("/cosmos/base/tendermint/v1beta1/blocks/latest", &answer)
	return answer.Block.Header.Time[:len("2006-01-02T15:04:05")]
}

func want(t *testing.T, what string, found, want int64) {
	t.Helper()
	if found != want {
		t.Errorf("%s: %d; want %d", what, found, want)
	}
}

func TestUserClaims(t *testing.T) {
	client := startFunded(t, 7)
	proofs := [][]byte{nil, nil}
	for stage := uint64(2); stage <= 7; stage++ {
		score := uint64(100)
		if stage == 4 {
			// Half of the minimum for full vesting, which is half of 100.
			score = 25
		}
		proofs = append(proofs, client.snapshot(1, stage, score, 100))
	}
	client.endChallenges()
	// The user has half of the score of stages 2 and 3.
	const reward = usersReward / 2
	want(t, "the first claim", client.paid(user(), func() string { return client.claim(1, 2, []uint64{100}, proofs[2:3]) }), 0)
	want(t, "the second", client.paid(user(), func() string { return client.claim(1, 3, []uint64{100}, proofs[3:4]) }), reward/vestingPeriod)
	// Two positions vest half of a part each.
	want(t, "below the minimum", client.paid(user(), func() string { return client.claim(1, 4, []uint64{25}, proofs[4:5]) }), reward/vestingPeriod)
	var position struct {
		Remaining int64 `json:"remaining_reward,string"`
		Penalty   int64 `json:"penalty_reward,string"`
		Minimum   int64 `json:"minimum_score,string"`
	}
	address := strconv.Quote(fmt.Sprintf("0x%x", []byte(user().Address)))
	client.view(&position, "vesting", "get_user_vesting", address, `"7"`, `"1"`, `"2"`)
	if position.Remaining != reward/2 || position.Penalty != reward/vestingPeriod/2 || position.Minimum != 50 {
		t.Errorf("%+v", position)
	}
	// Stage 4 has a fifth of the users' reward; it vests to the full with the score of stage 5.
	const ofFour = usersReward / 5
	want(t, "three positions", client.paid(user(), func() string { return client.claim(1, 5, []uint64{100}, proofs[5:6]) }), 2*reward/vestingPeriod+ofFour/vestingPeriod)
	// Stage 6 ends the position of stage 2, and stage 7 without a score pays nothing and ends that of stage 3.
	want(t, "several stages", client.paid(user(), func() string { return client.claim(1, 6, []uint64{100, 0}, [][]byte{proofs[6], nil}) }),
		3*reward/vestingPeriod+ofFour/vestingPeriod)
}

func TestUserClaimIsRefused(t *testing.T) {
	client := startFunded(t, 5)
	proof := client.snapshot(1, 2, 100, 100)
	client.endChallenges()
	next := client.snapshot(1, 3, 100, 100)
	expect(t, "no stages", client.claim(1, 2, nil, nil), "code=65553")
	lengths := client.call(user(), "batch_claim_user_reward_script", u64(bridgeID), u64(1), list(u64(2)), list(), list(u64(100)))
	expect(t, "different lengths", lengths, "code=65553")
	expect(t, "another score", client.claim(1, 2, []uint64{99}, [][]byte{proof}), "::vip, code=65546")
	expect(t, "a score without a proof", client.claim(1, 2, []uint64{100}, [][]byte{nil}), "code=65546")
	expect(t, "another proof", client.claim(1, 2, []uint64{100}, [][]byte{next}), "code=65546")
	expect(t, "a short hash", client.claim(1, 2, []uint64{100}, [][]byte{proof[1:]}), "code=65547")
	expect(t, "another version", client.claim(2, 2, []uint64{100}, [][]byte{proof}), "code=393222")
	expect(t, "a stage without a snapshot", client.claim(1, 5, []uint64{0}, [][]byte{nil}), "code=393222")
	expect(t, "a stage that L1 has not", client.claim(1, 50, []uint64{0}, [][]byte{nil}), "code=393220")
	expect(t, "a long challenge period", client.call(agent(), "set_parameters", u64(1), u64(vestingPeriod), u64(86_400), u64(0)), "")
	expect(t, "within the challenge period", client.claim(1, 2, []uint64{100}, [][]byte{proof}), "code=327701")
	client.endChallenges()
	expect(t, "claim", client.claim(1, 2, []uint64{100}, [][]byte{proof}), "")
	expect(t, "twice", client.claim(1, 2, []uint64{100}, [][]byte{proof}), "code=524290")
	last := client.snapshot(1, 4, 100, 100)
	client.endChallenges()
	expect(t, "with a gap", client.claim(1, 4, []uint64{100}, [][]byte{last}), "code=65552")
	gap := client.call(user(), "batch_claim_user_reward_script", u64(bridgeID), u64(1),
		list(u64(3), u64(3)), list(list(), list()), list(u64(0), u64(0)))
	expect(t, "not ascending", gap, "code=65556")
	expect(t, "in order", client.claim(1, 3, []uint64{100, 100}, [][]byte{next, last}), "")
}

// Users of a version that is not registered any more claim by their version.
func TestUserClaimsOfAnOldVersion(t *testing.T) {
	client := startFunded(t, 2)
	expect(t, "deregister", client.govern("deregister", u64(bridgeID)), "")
	expect(t, "register again", client.register(bridgeID), "")
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	proof := client.snapshot(1, 2, 100, 100)
	client.snapshot(1, 3, 100, 100)
	client.endChallenges()
	expect(t, "as the new version", client.claim(2, 2, []uint64{100}, [][]byte{proof}), "code=393222")
	expect(t, "as the old version", client.claim(1, 2, []uint64{100}, [][]byte{proof}), "")
}

func TestStageWithoutRewardsIsNotClaimed(t *testing.T) {
	client := startL1(t)
	expect(t, "register", client.register(bridgeID), "")
	client.setStage(2)
	client.setStage(3)
	proof := client.snapshot(1, 2, 100, 100)
	client.endChallenges()
	expect(t, "user", client.claim(1, 2, []uint64{100}, [][]byte{proof}), "code=393225")
	expect(t, "operator", client.claimOperator(agent(), 1), "code=393225")
}

func TestOperatorClaims(t *testing.T) {
	client := startFunded(t, 8)
	expect(t, "before all snapshots", client.claimOperator(agent(), 1), "")
	client.snapshot(1, 2, 100, 100)
	claim := func() string { return client.claimOperator(agent(), 1) }
	want(t, "the first claim", client.paid(agent(), claim), 0)
	want(t, "twice", client.paid(agent(), claim), 0)
	client.snapshot(1, 3, 100, 100)
	want(t, "the second", client.paid(agent(), claim), operatorReward/vestingPeriod)
	for stage := uint64(4); stage <= 6; stage++ {
		client.snapshot(1, stage, 100, 100)
	}
	// Stage 2 has paid one part of four, stage 3 none yet: 3 + 3 + 2 + 1 + 0 parts.
	want(t, "three stages at once", client.paid(agent(), claim), 9*operatorReward/vestingPeriod)
	var position struct {
		Remaining int64 `json:"remaining_reward,string"`
		End       int64 `json:"end_stage,string"`
	}
	client.view(&position, "vesting", "get_operator_vesting", `"7"`, `"1"`, `"5"`)
	if position.Remaining != operatorReward*3/vestingPeriod || position.End != 5+vestingPeriod {
		t.Errorf("%+v", position)
	}

	expect(t, "another account", client.claimOperator(user(), 1), "::operator, code=327687")
	replaced := client.govern("update_operator_info", u64(bridgeID), u64(1), some(account(user().Address)), none, none)
	expect(t, "replace the operator", replaced, "")
	expect(t, "the old operator", client.claimOperator(agent(), 1), "code=327687")
	client.snapshot(1, 7, 100, 100)
	want(t, "the new operator", client.paid(user(), func() string { return client.claimOperator(user(), 1) }), 4*operatorReward/vestingPeriod)
	expect(t, "an unknown version", client.claimOperator(user(), 2), "::table, code=")
}

// L1 takes no snapshot after the end of a registration, so what later stages would release stays in the vault, users' and operator's.
func TestVestingAfterTheEndOfARegistration(t *testing.T) {
	client := startFunded(t, 3)
	expect(t, "deregister", client.govern("deregister", u64(bridgeID)), "")
	for range 3 {
		expect(t, "advance", client.call(agent(), "advance_stage"), "")
	}
	var proofs [][]byte
	for stage := uint64(2); stage <= 4; stage++ {
		proofs = append(proofs, client.snapshot(1, stage, 100, 100))
	}
	expect(t, "after the last stage", client.submit(agent(), bridgeID, 1, 5), "code=851975")
	client.endChallenges()
	const reward = usersReward / 2
	scores := []uint64{100, 100, 100}
	// The stages 3 and 4 release a part of stage 2, stage 4 one of stage 3.
	want(t, "user", client.paid(user(), func() string { return client.claim(1, 2, scores, proofs) }), 3*reward/vestingPeriod)
	expect(t, "a later stage", client.claim(1, 5, []uint64{0}, [][]byte{nil}), "code=393222")
	claim := func() string { return client.claimOperator(agent(), 1) }
	want(t, "operator", client.paid(agent(), claim), 3*operatorReward/vestingPeriod)
	expect(t, "advance", client.call(agent(), "advance_stage"), "")
	want(t, "operator, later", client.paid(agent(), claim), 0)
}

// The agent that catches up submits several stages at once: a wrong one can be behind a right one.
func TestWrongSnapshotBehindARightOne(t *testing.T) {
	client := startFunded(t, 4)
	expect(t, "wrong", client.submit(agent(), bridgeID, 1, 2), "")
	wrong, right := client.snapshot(1, 3, 100, 100), client.snapshot(1, 4, 100, 100)
	client.endChallenges()
	claim := func() string { return client.claim(1, 2, []uint64{100, 100, 100}, [][]byte{wrong, wrong, right}) }
	expect(t, "claim", claim(), "code=65546")
	period := func(seconds uint64) {
		expect(t, "period", client.call(agent(), "set_parameters", u64(1), u64(vestingPeriod), u64(seconds), u64(0)), "")
	}
	period(86_400)
	expect(t, "remove", client.govern("execute_rollup_challenge", u64(bridgeID), u64(2)), "")
	period(0)
	// A user's claim that crosses the stage, but not one that begins after it.
	expect(t, "claim", claim(), "code=393222")
	expect(t, "claim of the newest", client.claim(1, 4, []uint64{100}, [][]byte{right}), "")
}

// L1 starts a stage when the agent funds it, however long the one before is over; the end of the stage before is its start.
func TestOverdueStage(t *testing.T) {
	client := startL1(t)
	expect(t, "a stage that is over", client.call(agent(), "set_stage", u64(5), u64(0), u64(100)), "")
	expect(t, "interval", client.call(agent(), "set_parameters", u64(10), u64(vestingPeriod), u64(0), u64(0)), "")
	expect(t, "register", client.register(bridgeID), "")
	// Only the stage in which the vote executes counts.
	if found := client.bridges()[0]; found.InitStage != 6 {
		t.Errorf("%+v", found)
	}
	for number := 6; number <= 7; number++ {
		expect(t, "fund", client.call(agent(), "fund_reward_script"), "")
		if found := stage(t, client.Client); found != fmt.Sprint(number) {
			t.Errorf("stage %s", found)
		}
	}
}
