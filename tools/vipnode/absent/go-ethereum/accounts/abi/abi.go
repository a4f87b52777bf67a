// Package abi has the names of github.com/ethereum/go-ethereum/accounts/abi that ibc-go uses for transfers whose data has the
// encoding of Solidity. A development chain has no IBC channel, so that it never gets one.
package abi

import "errors"

var errAbsent = errors.New("vipnode is built without go-ethereum")

// Type is the type of a value.
type Type struct{}

// ArgumentMarshaling describes a component of a tuple.
type ArgumentMarshaling struct {
	Name string
	Type string
}

// NewType returns a type without properties.
func NewType(string, string, []ArgumentMarshaling) (Type, error) { return Type{}, nil }

// Argument is a value of a call.
type Argument struct {
	Type Type
}

// Arguments are the values of a call.
type Arguments []Argument

// Pack fails.
func (Arguments) Pack(...any) ([]byte, error) { return nil, errAbsent }

// Unpack fails.
func (Arguments) Unpack([]byte) ([]any, error) { return nil, errAbsent }
