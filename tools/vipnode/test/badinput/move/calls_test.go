package move_test

import (
	"strings"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

func TestCallsThatFail(t *testing.T) {
	tt := start(t)
	const module = "::pitfalls"
	tt.Fails("abort", tt.call("set_and_abort", number(7)), "VM aborted: location=", module+", code=42")
	tt.Fails("endless loop", tt.call("set_and_spin", number(7)), "OUT_OF_GAS")
	tt.Fails("division by zero", tt.call("divide", number(0)), "ARITHMETIC_ERROR")
	tt.Fails("endless recursion", tt.call("recurse"), "VM failure: status CALL_STACK_OVERFLOW", module)
	tt.Fails("endless growth", tt.call("swell"), "VM failure: status MEMORY_LIMIT_EXCEEDED", module)
	tt.Fails("index out of bounds", tt.call("out_of_bounds"), "VM failure: status VECTOR_OPERATION_ERROR", module)

	tt.Fails("an argument too long", tt.call("set", append(number(1), 0)), "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.Fails("a boolean of 2", tt.call("take", []byte{2}, []byte{0}), "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.Fails("a vector that claims too much", tt.call("take", []byte{1}, []byte{0xff, 0xff, 0xff, 0xff, 0x0f}), "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.Fails("JSON of another type", tt.callJSON("set", `"many"`), "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.Fails("a number over u64", tt.callJSON("set", `"18446744073709551616"`), "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.Fails("not JSON", tt.callJSON("set", `{`), "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.Fails("JSON nested deeply", tt.callJSON("set", strings.Repeat("[", 100_000)), "FAILED_TO_DESERIALIZE_ARGUMENT")
	tt.Fails("JSON over 1,000,000 bytes", tt.callJSON("set", `"`+strings.Repeat("1", 1_000_001)+`"`), "maximum limit of 1000000 bytes exceeded")

	missing := tt.call("set", number(1))
	missing.ModuleName = "nothing"
	tt.Fails("a missing module", missing, "LINKER_ERROR")
	for name, bad := range map[string]string{"empty": "", "with a space": "a b", "too long": strings.Repeat("a", 200), "zero byte": "a\x00"} {
		message := tt.call("set", number(1))
		message.ModuleName = bad
		tt.Fails("a module name that is "+name, message, "module name")
	}
}

func TestTypeArgumentsThatFail(t *testing.T) {
	tt := start(t)
	typed := func(arguments ...string) *types.MsgExecute {
		message := tt.call("typed")
		message.TypeArgs = arguments
		return message
	}
	tt.Fails("of a missing module", typed("0x1::nothing::Nothing"), "LINKER_ERROR")
	tt.Fails("nested deeply", typed(strings.Repeat("vector<", 100)+"u8"+strings.Repeat(">", 100)), "nested too deeply")
	tt.Fails("nested very deeply", typed(strings.Repeat("vector<", 50_000)+"u8"+strings.Repeat(">", 50_000)), "nested too deeply")
	tt.Fails("structs nested deeply", typed(strings.Repeat("0x1::option::Option<", 5_000)+"u8"+strings.Repeat(">", 5_000)), "nested too deeply")
	tt.Fails("of a bech32 address", typed(tt.Sender.Address.String()+"::pitfalls::Box<u8>"), "invalid struct tag: init1")
}
