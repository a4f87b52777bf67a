package ethsecp256k1

import (
	"github.com/cosmos/cosmos-sdk/codec"
	"github.com/cosmos/cosmos-sdk/codec/legacy"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	cryptotypes "github.com/cosmos/cosmos-sdk/crypto/types"
)

// The SDK measures the size of a signature with its global amino codec when it simulates (ConsumeTxSizeGasDecorator),
// so the key must be registered there.
func init() { RegisterLegacyAminoCodec(legacy.Cdc) }

// RegisterInterfaces registers the key with the codec of transactions and accounts.
func RegisterInterfaces(registry codectypes.InterfaceRegistry) {
	registry.RegisterImplementations((*cryptotypes.PubKey)(nil), &PubKey{})
	registry.RegisterImplementations((*cryptotypes.PrivKey)(nil), &PrivKey{})
}

// RegisterLegacyAminoCodec registers the key with an amino codec, under the names that initia.js 1.1.0 reads.
func RegisterLegacyAminoCodec(amino *codec.LegacyAmino) {
	amino.RegisterConcrete(&PubKey{}, "initia/PubKeyEthSecp256k1", nil)
	amino.RegisterConcrete(&PrivKey{}, "initia/PrivKeyEthSecp256k1", nil)
}
