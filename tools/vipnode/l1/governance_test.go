package l1

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	sdkmath "cosmossdk.io/math"
	sdk "github.com/cosmos/cosmos-sdk/types"
	govv1 "github.com/cosmos/cosmos-sdk/x/gov/types/v1"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	movetypes "github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

const (
	// The account of governance on every Initia L1.
	governanceAddress = "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3"
	// 0x1 in bech32.
	standardLibrary = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d"
	startBalance    = 1_000_000_000_000_000
	deposit         = 10_000_000
)

// advance returns a message of governance that advances the stage.
func advance() *movetypes.MsgGovExecute {
	return &movetypes.MsgGovExecute{
		Authority: governanceAddress, Sender: standardLibrary,
		ModuleAddress: Address(), ModuleName: "vip", FunctionName: "advance_stage",
	}
}

// proposal returns a valid proposal; change makes it another one.
func proposal(t *testing.T, change func(*govv1.MsgSubmitProposal), messages ...sdk.Msg) *govv1.MsgSubmitProposal {
	t.Helper()
	coins := sdk.NewCoins(sdk.NewCoin(chain.FeeDenom, sdkmath.NewInt(deposit)))
	proposer := chain.Operator(chain.EthCoinType).Address.String()
	made, err := govv1.NewMsgSubmitProposal(messages, coins, proposer, "https://forum.example/1", "Title", "Summary", false)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(made)
	}
	return made
}

type outcome struct {
	Proposal struct {
		Status       string `json:"status"`
		FailedReason string `json:"failed_reason"`
		Proposer     string `json:"proposer"`
	} `json:"proposal"`
}

// outcomeOf waits until the votes for a proposal are counted.
func outcomeOf(t *testing.T, client *chaintest.Client, id int) outcome {
	t.Helper()
	path := fmt.Sprintf("/cosmos/gov/v1/proposals/%d", id)
	for end := time.Now().Add(chaintest.HangBound); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		var found outcome
		status, body := client.Get(path)
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
		if err := json.Unmarshal(body, &found); err != nil {
			t.Fatal(err)
		}
		if found.Proposal.Status != govv1.StatusVotingPeriod.String() {
			return found
		}
	}
	t.Fatalf("proposal %d is not decided after %s", id, chaintest.HangBound)
	return outcome{}
}

func stage(t *testing.T, client *chaintest.Client) string {
	t.Helper()
	_, body := client.Get("/initia/move/v1/accounts/" + Address() + "/resources/by_struct_tag?struct_tag=" + Address() + "::vip::ModuleStore")
	_, rest, _ := strings.Cut(string(body), `\"stage\":\"`)
	number, _, _ := strings.Cut(rest, `\"`)
	return number
}

func TestProposalPassesAndIsExecuted(t *testing.T) {
	client := startL1(t).Client
	proposer := chain.Operator(chain.EthCoinType)
	sent := client.Send(proposer, proposal(t, nil, advance()))
	if sent.Code != 0 {
		t.Fatalf("%+v", sent)
	}
	found := outcomeOf(t, client, 1)
	if found.Proposal.Status != govv1.StatusPassed.String() || found.Proposal.Proposer != proposer.Address.String() {
		t.Errorf("%+v", found)
	}
	if number := stage(t, client); number != "2" {
		t.Errorf("stage %s", number)
	}
	if balance := client.Balance(proposer.Address); balance != startBalance-feePaid {
		t.Errorf("the deposit is not refunded: %d", balance)
	}
}

func TestFailedExecutionIsMarked(t *testing.T) {
	client := startL1(t).Client
	missing := advance()
	missing.FunctionName = "no_such_function"
	foreign := advance()
	foreign.Sender = "init1"
	for id, message := range []sdk.Msg{missing, foreign} {
		// The first message's changes are undone too.
		client.Send(chain.Operator(chain.EthCoinType), proposal(t, nil, advance(), message))
		found := outcomeOf(t, client, id+1)
		if found.Proposal.Status != govv1.StatusFailed.String() || found.Proposal.FailedReason == "" {
			t.Errorf("%+v", found)
		}
	}
	if number := stage(t, client); number != "1" {
		t.Errorf("stage %s", number)
	}
}

func TestProposalIsRefused(t *testing.T) {
	client := startL1(t).Client
	proposer := chain.Operator(chain.EthCoinType)
	ofAnother := advance()
	ofAnother.Authority = proposer.Address.String()
	coins := func(denom string, amount int64) sdk.Coins {
		return sdk.Coins{sdk.NewCoin(denom, sdkmath.NewInt(amount))}
	}
	for name, test := range map[string]struct {
		message sdk.Msg
		change  func(*govv1.MsgSubmitProposal)
		text    string
	}{
		"authority":        {ofAnother, nil, "expected gov account as only signer"},
		"no deposit":       {advance(), func(p *govv1.MsgSubmitProposal) { p.InitialDeposit = nil }, "minimum deposit is too small"},
		"other denom":      {advance(), func(p *govv1.MsgSubmitProposal) { p.InitialDeposit = coins("uother", deposit) }, "invalid deposit denom"},
		"more than held":   {advance(), func(p *govv1.MsgSubmitProposal) { p.InitialDeposit = coins(chain.FeeDenom, 2*startBalance) }, "insufficient funds"},
		"long metadata":    {advance(), func(p *govv1.MsgSubmitProposal) { p.Metadata = strings.Repeat("m", 256) }, "metadata too long"},
		"empty title":      {advance(), func(p *govv1.MsgSubmitProposal) { p.Title = "" }, "title cannot be empty"},
		"long title":       {advance(), func(p *govv1.MsgSubmitProposal) { p.Title = strings.Repeat("t", 256) }, "metadata too long"},
		"empty summary":    {advance(), func(p *govv1.MsgSubmitProposal) { p.Summary = "" }, "summary cannot be empty"},
		"long summary":     {advance(), func(p *govv1.MsgSubmitProposal) { p.Summary = strings.Repeat("s", 10_201) }, "summary too long"},
		"another proposer": {advance(), func(p *govv1.MsgSubmitProposal) { p.Proposer = chain.Deployer(chain.EthCoinType).Address.String() }, "pubKey does not match signer address"},
	} {
		tx := client.Transaction(proposer, proposal(t, test.change, test.message))
		result := client.Broadcast(tx)
		if result.Code == 0 {
			result = client.Wait(result.Hash)
		}
		if result.Code == 0 || !strings.Contains(result.Log, test.text) {
			t.Errorf("%s: %d %s; want %q", name, result.Code, result.Log, test.text)
		}
	}
}

func TestLongestTextsAreAccepted(t *testing.T) {
	client := startL1(t).Client
	longest := func(p *govv1.MsgSubmitProposal) {
		p.Metadata, p.Title, p.Summary = strings.Repeat("m", 255), strings.Repeat("t", 255), strings.Repeat("s", 10_200)
	}
	if sent := client.Send(chain.Operator(chain.EthCoinType), proposal(t, longest, advance())); sent.Code != 0 {
		t.Errorf("%+v", sent)
	}
}

// Only governance executes as another account.
func TestGovExecuteNeedsGovernance(t *testing.T) {
	client := startL1(t).Client
	sender := chain.Operator(chain.EthCoinType)
	message := advance()
	message.Authority = sender.Address.String()
	if sent := client.Send(sender, message); sent.Code == 0 || !strings.Contains(sent.Log, "invalid authority") {
		t.Errorf("%+v", sent)
	}
}

// A deposit below the minimum leaves the proposal waiting for more.
func TestSmallDepositWaits(t *testing.T) {
	client := startL1(t).Client
	proposer := chain.Operator(chain.EthCoinType)
	small := func(p *govv1.MsgSubmitProposal) {
		p.InitialDeposit = sdk.NewCoins(sdk.NewCoin(chain.FeeDenom, sdkmath.NewInt(deposit/2)))
	}
	client.Send(proposer, proposal(t, small, advance()))
	if found := outcomeOf(t, client, 1); found.Proposal.Status != govv1.StatusDepositPeriod.String() {
		t.Errorf("%+v", found)
	}
	if balance := client.Balance(proposer.Address); balance != startBalance-deposit/2-feePaid {
		t.Errorf("balance %d", balance)
	}
}
