package chain

import (
	"fmt"

	txsigning "cosmossdk.io/x/tx/signing"
	"cosmossdk.io/x/tx/signing/aminojson"
	"github.com/cosmos/cosmos-sdk/client"
	"github.com/cosmos/cosmos-sdk/codec"
	addresscodec "github.com/cosmos/cosmos-sdk/codec/address"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/std"
	authtx "github.com/cosmos/cosmos-sdk/x/auth/tx"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	consensustypes "github.com/cosmos/cosmos-sdk/x/consensus/types"
	"github.com/cosmos/gogoproto/proto"

	"github.com/vipscore/vipscore/tools/vipnode/ethsecp256k1"
	mempooltypes "github.com/vipscore/vipscore/tools/vipnode/mempool/types"
)

// Encoding is how a chain writes and reads transactions and state.
type Encoding struct {
	Registry codectypes.InterfaceRegistry
	Codec    codec.Codec
	Tx       client.TxConfig
}

// NewEncoding returns the encoding of a chain with this virtual machine's messages, or with none (nil).
func NewEncoding(vm VM) (Encoding, error) {
	registry, err := codectypes.NewInterfaceRegistryWithOptions(codectypes.InterfaceRegistryOptions{
		// Files of both protobuf runtimes: the SDK's files are registered with one, gogoproto's with the other.
		ProtoFiles: proto.HybridResolver,
		SigningOptions: txsigning.Options{
			AddressCodec:          addresscodec.NewBech32Codec(Prefix),
			ValidatorAddressCodec: addresscodec.NewBech32Codec(Prefix + "valoper"),
		},
	})
	if err != nil {
		return Encoding{}, fmt.Errorf("the message types cannot be read: %w", err)
	}
	std.RegisterInterfaces(registry)
	authtypes.RegisterInterfaces(registry)
	banktypes.RegisterInterfaces(registry)
	consensustypes.RegisterInterfaces(registry)
	ethsecp256k1.RegisterInterfaces(registry)
	mempooltypes.RegisterInterfaces(registry)
	if vm != nil {
		vm.RegisterInterfaces(registry)
	}
	if err := registry.SigningContext().Validate(); err != nil {
		return Encoding{}, fmt.Errorf("a message names no signer: %w", err)
	}
	protoCodec := codec.NewProtoCodec(registry)
	eip191 := eip191Handler{aminojson.NewSignModeHandler(aminojson.SignModeHandlerOptions{FileResolver: registry})}
	return Encoding{
		Registry: registry,
		Codec:    protoCodec,
		Tx:       authtx.NewTxConfig(protoCodec, authtx.DefaultSignModes, eip191),
	}, nil
}
