package movepackage

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/test/fuzztest"
)

const (
	callsOfARun = 400
	runs        = 4
)

// scoreScripts are compiled scripts that call the functions for one score, which are not entry functions.
func scoreScripts(t *testing.T) map[string][]byte {
	t.Helper()
	source, err := os.ReadFile("testdata/one_score.move")
	if err != nil {
		t.Fatal(err)
	}
	p := copyOf(t, contractFolder, "vip_score="+publisherHex)
	write(t, p, "sources/one_score.move", string(source))
	if err := Build(p); err != nil {
		t.Fatal(err)
	}
	scripts := map[string][]byte{}
	for _, name := range []string{"update_score", "increase_score", "decrease_score"} {
		if scripts[name], err = os.ReadFile(filepath.Join(p.Path, "build", "vip_score", "bytecode_scripts", name+".mv")); err != nil {
			t.Fatal(err)
		}
	}
	return scripts
}

// randomRun is a contract on the VM with its model.
type randomRun struct {
	*machine
	model   *scoringModel
	random  *rand.Rand
	scripts map[string][]byte
	// frozen is the first answer about each finalized stage; all later ones must be equal.
	frozen map[uint64]string
	// outcomes counts the results of each function's calls.
	outcomes map[string]int
}

// newRandomRun publishes a contract; before is the code of the reference contract to upgrade from, or nil.
func newRandomRun(t *testing.T, code, before []byte, scripts map[string][]byte, seed int64) (*randomRun, error) {
	t.Helper()
	run := &randomRun{
		machine: newMachine(t), model: newScoringModel(before != nil), random: rand.New(rand.NewSource(seed)),
		scripts: scripts, frozen: map[uint64]string{}, outcomes: map[string]int{},
	}
	for _, each := range [][]byte{before, code} {
		if each == nil {
			continue
		}
		if err := run.publish(publisher, each, compatible); err != nil {
			return nil, fmt.Errorf("the module is not published: %w", err)
		}
	}
	return run, nil
}

// play makes random calls and fails at the first difference from the model.
func (run *randomRun) play(calls int) error {
	for number := range calls {
		c := randomCall(run.random, run.model)
		if err := run.make(c); err != nil {
			return fmt.Errorf("call %d, %+v: %w", number, c, err)
		}
		if number%50 == 49 || number == calls-1 {
			if err := run.checkAllStages(); err != nil {
				return fmt.Errorf("after call %d, %+v: %w", number, c, err)
			}
		}
	}
	return nil
}

func (run *randomRun) make(c scoringCall) error {
	before := run.state()
	wantEvents, wantCode := run.model.apply(c)
	events, err := run.send(c)
	code, known := abortCode(err)
	if !known {
		return fmt.Errorf("the call failed without a code: %w", err)
	}
	if code != wantCode {
		return fmt.Errorf("the code is %#x, not %#x", code, wantCode)
	}
	run.outcomes[fmt.Sprintf("%s %#x", c.function, code)]++
	if code != 0 {
		if !maps.Equal(before, run.state()) {
			return errors.New("an aborted call changed the state")
		}
		return nil
	}
	if err := sameEvents(events, wantEvents); err != nil {
		return err
	}
	return errors.Join(run.checkStage(c.stage), run.checkStage(c.stage+1), run.checkDeployers(), run.checkPage())
}

func (run *randomRun) send(c scoringCall) ([]types.JsonEvent, error) {
	script, isScript := run.scripts[c.function]
	if !isScript {
		events, _, err := run.execute(c.sender, scoring, c.function, c.arguments()...)
		return events, err
	}
	return run.runScript(c.sender, script, c.arguments()...)
}

// abortCode returns the code with which the scoring module aborted, 0 for success; false for every other failure.
func abortCode(err error) (int, bool) {
	if err == nil {
		return 0, true
	}
	_, digits, found := strings.Cut(err.Error(), "::vip_score, code=")
	code, parseError := strconv.Atoi(digits)
	return code, found && parseError == nil
}

func sameEvents(found []types.JsonEvent, want []scoringEvent) error {
	var scored []scoringEvent
	for _, event := range found {
		_, name, isScoring := strings.Cut(event.TypeTag, "::vip_score::")
		if !isScoring {
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal([]byte(event.EventData), &fields); err != nil {
			return err
		}
		scored = append(scored, scoringEvent{name, fields})
	}
	if !reflect.DeepEqual(scored, want) {
		return fmt.Errorf("the events are %v, not %v", scored, want)
	}
	return nil
}

// checkStage compares all views of a stage, and of the whole contract, with the model.
func (run *randomRun) checkStage(number uint64) error {
	texts := make([]string, len(scoredAccounts))
	for i, account := range scoredAccounts {
		texts[i] = inHex(account)
	}
	stage := inText(number)
	for view, want := range run.model.views(number, scoredAccounts) {
		var arguments []any
		switch view {
		case "get_scores_of":
			arguments = []any{stage, texts}
		case "get_stage", "get_total_score", "is_open":
			arguments = []any{stage}
		}
		if found, err := run.view(scoring, view, arguments...); err != nil || found != want {
			return fmt.Errorf("%s%v = %s (%v), not %s", view, arguments, found, err, want)
		}
	}
	return nil
}

func (run *randomRun) checkDeployers() error {
	var deployers []string
	size := 1 + run.random.Intn(3)
	for {
		answer, err := run.view(scoring, "get_deployers", inText(uint64(len(deployers))), inText(uint64(size)))
		if err != nil {
			return err
		}
		var page []string
		if err := json.Unmarshal([]byte(answer), &page); err != nil {
			return err
		}
		deployers = append(deployers, page...)
		if len(page) < size {
			break
		}
	}
	// Past the last one, and at it.
	for _, offset := range []uint64{uint64(len(deployers)), math.MaxUint64} {
		if page, err := run.view(scoring, "get_deployers", inText(offset), "1"); err != nil || page != "[]" {
			return fmt.Errorf("get_deployers(%d, 1) = %s (%v)", offset, page, err)
		}
	}
	slices.Sort(deployers)
	var want []string
	for account := range run.model.deployers {
		want = append(want, inHex(account))
	}
	slices.Sort(want)
	if !slices.Equal(deployers, want) {
		return fmt.Errorf("the deployers are %v, not %v", deployers, want)
	}
	return nil
}

// checkPage reads a random page of the highest stages.
func (run *randomRun) checkPage() error {
	stage := run.model.top() - uint64(run.random.Intn(2))
	limit := pick(run.random, []uint16{0, 1, 2, 5, 1_000, 65_535})
	var start any
	var startAfter *types.AccountAddress
	if account := pick(run.random, scoredAccounts); run.random.Intn(2) == 0 {
		startAfter, start = &account, inHex(account)
	}
	want := run.model.page(stage, limit, startAfter)
	if found, err := run.view(scoring, "get_scores", inText(stage), limit, start); err != nil || found != want {
		return fmt.Errorf("get_scores(%d, %d, %v) = %s (%v), not %s", stage, limit, start, found, err, want)
	}
	return nil
}

// checkAllStages compares every stage with the model, and finalized stages also with their first state.
func (run *randomRun) checkAllStages() error {
	open := 0
	for number, stage := range run.model.stages {
		if err := run.checkStage(number); err != nil {
			return err
		}
		if !stage.finalized {
			open++
			continue
		}
		info, err := run.view(scoring, "get_stage", inText(number))
		page, pageError := run.view(scoring, "get_scores", inText(number), 1_000, nil)
		if err := errors.Join(err, pageError); err != nil {
			return err
		}
		if first, known := run.frozen[number]; known && first != info+page {
			return fmt.Errorf("stage %d was %s when it was finalized and is %s%s", number, first, info, page)
		}
		run.frozen[number] = info + page
	}
	if open > 1 {
		return fmt.Errorf("%d stages are open", open)
	}
	return nil
}

func TestContractBehavesLikeItsModel(t *testing.T) {
	code, scripts := contractCode(t), scoreScripts(t)
	origins := map[string][]byte{"new": nil, "from the reference": referenceCode(t)}
	outcomes := map[string]int{}
	first := fuzztest.Seed(t)
	for name, before := range origins {
		for number := range fuzztest.Runs(t, runs) {
			seed := first + int64(number)
			run, err := newRandomRun(t, code, before, scripts, seed)
			if err == nil {
				err = run.play(callsOfARun)
			}
			if err != nil {
				t.Fatalf("contract %s, seed %d: %v", name, seed, err)
			}
			for outcome, count := range run.outcomes {
				outcomes[outcome] += count
			}
		}
	}
	for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
		t.Logf("%6d × %s", outcomes[outcome], outcome)
	}
	for _, each := range functionWeights {
		if outcomes[each.function+" 0x0"] == 0 {
			t.Errorf("%s never succeeded", each.function)
		}
	}
}
