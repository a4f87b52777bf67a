package move

import (
	"errors"
	"fmt"

	storetypes "cosmossdk.io/store/types"

	errorsmod "cosmossdk.io/errors"
)

// errNoMessages is the error for Move code that sends a message to another module. Codespace, code and registered text are those
// of a real node's refusal (initia-labs/initia, x/move/types/errors.go).
var errNoMessages = errorsmod.Register("move", 9, "malformed cosmos message")

var errClosed = errors.New("the Move VM is closed")

// notAvailable is the error for a part that this node does not have.
func notAvailable(what string) error {
	return fmt.Errorf("%s: not available on this development node", what)
}

// notFound is a real node's error for a missing module, resource or table entry.
func notFound(key []byte) error {
	return fmt.Errorf("collections: not found: key 'hexBytes:%x' of type bytes", key)
}

// guard turns a panic of call into an error. Running out of gas stays a panic, because the SDK expects one.
func guard(call func() error) (err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case storetypes.ErrorOutOfGas, storetypes.ErrorGasOverflow, storetypes.ErrorNegativeGasConsumed:
			panic(reason)
		default:
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return call()
}
