package movepackage

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"testing"

	vm "github.com/initia-labs/movevm"
	"github.com/initia-labs/movevm/api"
	"github.com/initia-labs/movevm/precompile"
	"github.com/initia-labs/movevm/types"
)

// machine is the Move VM with the rollups' standard library over an in-memory store: enough to publish and call.
type machine struct {
	t      *testing.T
	vm     vm.VM
	store  *api.Lookup
	height uint64
}

// Publishing policies of 0x1::code.
const (
	compatible uint8 = 1
	immutable  uint8 = 2
)

func newMachine(t *testing.T) *machine {
	t.Helper()
	library, err := precompile.ReadMinlib()
	if err != nil {
		t.Fatal(err)
	}
	modules := make([]types.Module, len(library))
	for i, code := range library {
		modules[i] = types.NewModule(code)
	}
	// Set up like a node: it refuses unstable bytecode.
	machineVM, err := vm.NewVM(types.InitiaVMConfig{ScriptCacheCapacity: 100, ModuleCacheCapacity: 500})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(machineVM.Destroy)
	m := &machine{t: t, vm: machineVM, store: api.NewLookup()}
	if _, err := m.vm.Initialize(
		m.store, api.NewEmptyMockAPI(1), m.env(), types.NewModuleBundle(modules...), []types.AccountAddress{},
	); err != nil {
		t.Fatal(err)
	}
	return m
}

// env returns a new block and transaction for every call.
func (m *machine) env() types.Env {
	m.height++
	id := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, m.height))
	return types.Env{
		BlockHeight: m.height, BlockTimestampNanos: m.height, NextAccountNumber: 100 * m.height, TxHash: id, SessionId: id,
	}
}

// execute calls an entry function with BCS arguments and returns its events and its gas.
func (m *machine) execute(
	sender types.AccountAddress, module types.ModuleId, function string, arguments ...[]byte,
) ([]types.JsonEvent, uint64, error) {
	return m.run(sender, types.EntryFunction{
		Module: module, Function: types.Identifier(function), TyArgs: []types.TypeTag{}, Args: arguments,
	})
}

func (m *machine) run(sender types.AccountAddress, payload types.EntryFunction) ([]types.JsonEvent, uint64, error) {
	const limit = uint64(1) << 40
	left := limit
	result, err := m.vm.ExecuteEntryFunction(
		&left, m.store, api.NewEmptyMockAPI(1), m.env(), []types.AccountAddress{sender}, payload,
	)
	return result.Events, limit - left, err
}

// runScript executes a compiled script and returns its events.
func (m *machine) runScript(sender types.AccountAddress, code []byte, arguments ...[]byte) ([]types.JsonEvent, error) {
	left := uint64(1) << 40
	result, err := m.vm.ExecuteScript(
		&left, m.store, api.NewEmptyMockAPI(1), m.env(), []types.AccountAddress{sender},
		types.Script{Code: code, TyArgs: []types.TypeTag{}, Args: arguments},
	)
	return result.Events, err
}

// publish publishes a module or upgrades it.
func (m *machine) publish(sender types.AccountAddress, code []byte, policy uint8) error {
	_, err := m.gasToPublish(sender, code, policy)
	return err
}

func (m *machine) gasToPublish(sender types.AccountAddress, code []byte, policy uint8) (uint64, error) {
	_, gas, err := m.run(sender, types.EntryFunction{
		Module:   types.ModuleId{Address: types.StdAddress, Name: "code"},
		Function: "publish_v2",
		TyArgs:   []types.TypeTag{},
		Args:     [][]byte{inJSON([]string{hex.EncodeToString(code)}), inJSON(policy)},
		IsJson:   true,
	})
	return gas, err
}

// view calls a view function with JSON arguments; the answer is JSON.
func (m *machine) view(module types.ModuleId, function string, arguments ...any) (string, error) {
	encoded := make([][]byte, len(arguments))
	for i, argument := range arguments {
		encoded[i] = inJSON(argument)
	}
	left := uint64(1) << 40
	output, err := m.vm.ExecuteViewFunction(
		&left, m.store, api.NewEmptyMockAPI(1), m.env(), types.ViewFunction{
			Module: module, Function: types.Identifier(function), TyArgs: []types.TypeTag{}, Args: encoded, IsJson: true,
		},
	)
	return output.Ret, err
}

// state returns a copy of the whole store.
func (m *machine) state() map[string]string {
	entries := map[string]string{}
	iterator := m.store.Iterator(nil, nil)
	defer iterator.Close()
	for ; iterator.Valid(); iterator.Next() {
		entries[string(iterator.Key())] = string(iterator.Value())
	}
	return entries
}

func inJSON(value any) []byte {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

func inBCS(value uint64) []byte { return binary.LittleEndian.AppendUint64(nil, value) }

// accountOf returns the address of a numbered account: 20 bytes that look random.
func accountOf(number int) types.AccountAddress {
	hash := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(number)))
	var account types.AccountAddress
	copy(account[12:], hash[:20])
	return account
}

// batchOf returns the accounts from a number on with the scores first, first + 1, …: two vectors in BCS.
func batchOf(from, count int, first uint64) (accounts, scores []byte) {
	accounts = binary.AppendUvarint(nil, uint64(count))
	scores = binary.AppendUvarint(nil, uint64(count))
	for i := range count {
		account := accountOf(from + i)
		accounts = append(accounts, account[:]...)
		scores = append(scores, inBCS(first+uint64(i))...)
	}
	return accounts, scores
}
