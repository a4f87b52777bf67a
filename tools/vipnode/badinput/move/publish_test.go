package move_test

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/fuzztest"
)

func TestBytecodeThatIsRefused(t *testing.T) {
	tt := start(t)
	good := pitfalls(t)
	marked, err := unstable(good)
	if err != nil {
		t.Fatal(err)
	}
	tt.fail("unstable", tt.publishMessage(marked), "UNSTABLE_BYTECODE_REJECTED")
	tt.fail("no bytecode", tt.publishMessage([]byte("no bytecode")), "VM error: status BAD_MAGIC of type Deserialization")
	tt.fail("empty", tt.publishMessage([]byte{}), "empty module bytes")
	tt.fail("cut", tt.publishMessage(good[:len(good)/2]), "VM error: status BAD_HEADER_TABLE of type Deserialization")
	later := bytes.Clone(good)
	later[4] = 99
	tt.fail("of a later version", tt.publishMessage(later), "VM error: status UNKNOWN_VERSION of type Deserialization")
	tt.fail("twice in one message", tt.publishMessage(good, good), "DUPLICATE_MODULE_NAME")
	tt.fail("over 1 MiB", tt.publishMessage(make([]byte, 1<<20+1)), "module size over hard limit 1048576")
	other := bytes.ReplaceAll(good, []byte("pitfalls"), []byte("pitfallz"))
	other = bytes.ReplaceAll(other, tt.publisher.Address, bytes.Repeat([]byte{9}, 20))
	tt.fail("of another publisher", tt.publishMessage(other), "MODULE_ADDRESS_DOES_NOT_MATCH_SENDER")
}

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
		number, sequence := tt.client.Account(tt.publisher.Address)
		tx := tt.sign(number, sequence, tt.publishMessage(damaged))
		if answer := tt.post(t, "/cosmos/tx/v1beta1/simulate", map[string]any{"tx_bytes": tx}); answer.status != 200 {
			refused++
		}
	}
	if refused < count/2 {
		t.Errorf("%d of %d damaged modules are refused", refused, count)
	}
}
