package move_test

import (
	"bytes"
	"math/rand"
	"net/http"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/test/fuzztest"
)

// Damaged modules must not end the process, and must not be accepted and then break existing state.
func TestDamagedBytecode(t *testing.T) {
	tt := start(t)
	random := rand.New(rand.NewSource(fuzztest.Seed(t)))
	good := pitfalls(t)
	refused, count := 0, fuzztest.Runs(t, 200)
	for range count {
		damaged := bytes.Clone(good)
		for range 1 + random.Intn(4) {
			damaged[random.Intn(len(damaged))] ^= byte(1 << random.Intn(8))
		}
		if answer := tt.Simulate(t, tt.Sign(tt.publishMessage(damaged))); answer.Status != http.StatusOK {
			refused++
		}
	}
	// A change of a constant or of a name is still a module.
	if refused < count*7/8 {
		t.Errorf("%d of %d damaged modules are refused", refused, count)
	}
}
