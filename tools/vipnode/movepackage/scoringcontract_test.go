package movepackage

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/initia-labs/movevm/types"
)

const (
	contractFolder  = "../../../contracts/move"
	referenceFolder = contractFolder + "/test/reference_shape"
	publisherHex    = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475"
)

var (
	publisher, _ = types.NewAccountAddress(publisherHex)
	deployer, _  = types.NewAccountAddress("0x8cad25ec80a10522c258e2f59abf0006c9445d1b")
	scoring      = types.ModuleId{Address: publisher, Name: "vip_score"}
)

// codes caches compiled modules: a build takes seconds.
var codes = map[string][]byte{}

func codeOf(t *testing.T, folder, packageName, address string) []byte {
	t.Helper()
	key := folder + address
	if codes[key] == nil {
		codes[key] = built(t, folder, packageName, "vip_score", "vip_score="+address)
	}
	return codes[key]
}

func contractCode(t *testing.T) []byte {
	return codeOf(t, contractFolder, "vip_score", publisherHex)
}

func referenceCode(t *testing.T) []byte {
	return codeOf(t, referenceFolder, "reference_shape", publisherHex)
}

// deployed returns a published scoring contract, with the deployer added and stage 1 open.
func deployed(t *testing.T, code []byte) *machine {
	t.Helper()
	m := newMachine(t)
	if err := m.publish(publisher, code, compatible); err != nil {
		t.Fatal(err)
	}
	m.must(publisher, "add_deployer_script", deployer[:])
	m.must(deployer, "set_init_stage", inBCS(1))
	return m
}

// must executes a function of the scoring contract and returns its gas.
func (m *machine) must(sender types.AccountAddress, function string, arguments ...[]byte) uint64 {
	m.t.Helper()
	_, gas, err := m.execute(sender, scoring, function, arguments...)
	if err != nil {
		m.t.Fatalf("%s: %v", function, err)
	}
	return gas
}

// answers fails unless a view returns this JSON.
func (m *machine) answers(want, function string, arguments ...any) {
	m.t.Helper()
	if found, err := m.view(scoring, function, arguments...); err != nil || found != want {
		m.t.Errorf("%s%v = %s (%v), not %s", function, arguments, found, err, want)
	}
}

// aborts fails unless a function of the scoring contract aborts with this code.
func (m *machine) aborts(code int, sender types.AccountAddress, function string, arguments ...[]byte) {
	m.t.Helper()
	_, _, err := m.execute(sender, scoring, function, arguments...)
	if err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("::vip_score, code=%d", code)) {
		m.t.Errorf("%s: %v, not code %d", function, err, code)
	}
}

// Deployment replaces the placeholder in the compiled module with the publisher's address.
func TestContractCanBeCompiledForAnotherAddress(t *testing.T) {
	placeholder, _ := types.NewAccountAddress("0x" + strings.Repeat("e1", 32))
	code := codeOf(t, contractFolder, "vip_score", placeholder.String())
	if places := bytes.Count(code, placeholder[:]); places != 2 {
		t.Errorf("the address is in %d places", places)
	}
	replaced := bytes.ReplaceAll(code, placeholder[:], publisher[:])
	if !bytes.Equal(replaced, contractCode(t)) {
		t.Error("the bytes are not those of a build for the address")
	}
	m := deployed(t, replaced)
	m.answers(fmt.Sprintf(`"%s"`, publisher), "get_owner")
}

func TestContractCanBePublishedAsImmutable(t *testing.T) {
	for name, policies := range map[string][]uint8{"at first": {immutable}, "later": {compatible, immutable}} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			for _, policy := range policies {
				if err := m.publish(publisher, contractCode(t), policy); err != nil {
					t.Fatal(err)
				}
			}
			for _, policy := range []uint8{compatible, immutable} {
				if err := m.publish(publisher, contractCode(t), policy); err == nil {
					t.Errorf("an immutable module was upgraded under policy %d", policy)
				}
			}
		})
	}
}

func TestACallThatAbortsWritesNothing(t *testing.T) {
	m := deployed(t, contractCode(t))
	accounts, scores := batchOf(0, 10, 1)
	m.must(deployer, "update_scores_script", inBCS(1), accounts, scores)
	before := m.state()

	// The last row overflows the total after the others are written.
	accounts, scores = batchOf(5, 10, 1<<63)
	m.aborts(0x2000b, deployer, "update_score_script", inBCS(1), accounts, scores)
	m.aborts(0x2000b, deployer, "update_scores_script", inBCS(1), accounts, scores)
	m.aborts(0x3000c, deployer, "finalize_checked_script", inBCS(1), inBCS(0), inBCS(10), inBCS(1))
	if !maps.Equal(before, m.state()) {
		t.Error("the state changed")
	}
}

// Readers open the store directly, so a deployer has the same value as in the reference contract.
func TestDeployersAreStoredAsPublished(t *testing.T) {
	for name, code := range map[string][]byte{"reference": referenceCode(t), "ours": contractCode(t)} {
		isTrue := false
		for key, value := range deployed(t, code).state() {
			isStore := strings.Contains(key, "vip_score") && strings.Contains(key, "ModuleStore")
			isTrue = isTrue || isStore && strings.Contains(value, string(append(deployer[:], 1)))
		}
		if !isTrue {
			t.Errorf("%s: the value of the deployer is not true", name)
		}
	}
}

// The reference contract's VM gas per score, for new scores, by batch size.
var referenceGas = map[int]float64{500: 3867, 1_000: 3853}

func TestGasPerScore(t *testing.T) {
	code := contractCode(t)
	for function, most := range map[string]float64{"update_score_script": 0.90, "update_scores_script": 0.77} {
		for _, rows := range []int{500, 1_000} {
			m := deployed(t, code)
			accounts, scores := batchOf(0, rows, 1_000)
			_, others := batchOf(0, rows, 5_000)
			first := m.must(deployer, function, inBCS(1), accounts, scores)
			overwrite := m.must(deployer, function, inBCS(1), accounts, others)
			m.must(deployer, "finalize_script", inBCS(1))
			next := m.must(deployer, function, inBCS(2), accounts, scores)
			for name, gas := range map[string]uint64{"first use": first, "overwrite": overwrite, "next stage": next} {
				perRow := float64(gas) / float64(rows)
				ratio := perRow / referenceGas[rows]
				t.Logf("%s, %d rows, %s: %.1f gas per score, %.3f of the reference", function, rows, name, perRow, ratio)
				if ratio > most {
					t.Errorf("%s, %d rows, %s: above %v of the reference", function, rows, name, most)
				}
			}
		}
	}
}
