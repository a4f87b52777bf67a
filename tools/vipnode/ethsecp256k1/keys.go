// Package ethsecp256k1 holds the key type that Initia's wallets sign with: a key on the curve secp256k1 with Ethereum's
// hash and address, in a Cosmos SDK transaction.
package ethsecp256k1

import (
	"bytes"
	"crypto/subtle"
	"fmt"

	"github.com/cosmos/cosmos-sdk/codec"
	cryptotypes "github.com/cosmos/cosmos-sdk/crypto/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

const (
	// PubKeySize is the length of a compressed point, in bytes.
	PubKeySize = 33
	// PrivKeySize is the length of a scalar, in bytes.
	PrivKeySize = 32
	// SignatureSize is the length of r followed by s, in bytes.
	SignatureSize = 64

	keyType = "eth_secp256k1"
)

var (
	_ cryptotypes.PubKey   = (*PubKey)(nil)
	_ cryptotypes.PrivKey  = (*PrivKey)(nil)
	_ codec.AminoMarshaler = (*PubKey)(nil)
	_ codec.AminoMarshaler = (*PrivKey)(nil)
)

// Address is the last 20 bytes of the Keccak-256 hash of the uncompressed point without its format byte, as in Ethereum
// and in initia.js 1.1.0 (pubkeyToAddress). It is empty for bytes that are not a compressed point.
func (k *PubKey) Address() cryptotypes.Address {
	if len(k.Key) != PubKeySize {
		return nil
	}
	point, err := secp256k1.ParsePubKey(k.Key)
	if err != nil {
		return nil
	}
	return keccak256(point.SerializeUncompressed()[1:])[12:]
}

// Bytes returns the compressed point.
func (k *PubKey) Bytes() []byte { return k.Key }

// String returns the point in hexadecimal digits, for a log.
func (k *PubKey) String() string { return fmt.Sprintf("EthPubKeySecp256k1{%X}", k.Key) }

// Type returns the name of the key type.
func (k *PubKey) Type() string { return keyType }

// Equals reports whether both are the same point of the same key type.
func (k *PubKey) Equals(other cryptotypes.PubKey) bool {
	return k.Type() == other.Type() && bytes.Equal(k.Bytes(), other.Bytes())
}

// VerifySignature reports whether the signature, r followed by s in 64 bytes, is this key's for the Keccak-256 hash of the
// message. As for the SDK's own key, the upper half of s is refused: each signature would otherwise have a second form.
func (k *PubKey) VerifySignature(message, signature []byte) bool {
	if len(signature) != SignatureSize || len(k.Key) != PubKeySize {
		return false
	}
	point, err := secp256k1.ParsePubKey(k.Key)
	if err != nil {
		return false
	}
	var r, s secp256k1.ModNScalar
	if r.SetByteSlice(signature[:32]) || s.SetByteSlice(signature[32:]) || s.IsOverHalfOrder() {
		return false
	}
	return ecdsa.NewSignature(&r, &s).Verify(keccak256(message), point)
}

// MarshalAmino returns the bare point, because amino writes a key without a message around it.
func (k PubKey) MarshalAmino() ([]byte, error) { return k.Key, nil }

// UnmarshalAmino reads the bare point. It fails if the length is not 33 bytes.
func (k *PubKey) UnmarshalAmino(point []byte) error {
	if len(point) != PubKeySize {
		return sdkerrors.ErrInvalidPubKey.Wrapf("a compressed point has %d bytes, got %d", PubKeySize, len(point))
	}
	k.Key = point
	return nil
}

// MarshalAminoJSON is MarshalAmino.
func (k PubKey) MarshalAminoJSON() ([]byte, error) { return k.MarshalAmino() }

// UnmarshalAminoJSON is UnmarshalAmino.
func (k *PubKey) UnmarshalAminoJSON(point []byte) error { return k.UnmarshalAmino(point) }

// Bytes returns the scalar.
func (k *PrivKey) Bytes() []byte { return k.Key }

// String returns a description, never the secret.
func (k *PrivKey) String() string { return "EthPrivKeySecp256k1{…}" }

// Type returns the name of the key type.
func (k *PrivKey) Type() string { return keyType }

// Equals reports, in constant time, whether both are the same secret of the same key type.
func (k *PrivKey) Equals(other cryptotypes.LedgerPrivKey) bool {
	return k.Type() == other.Type() && subtle.ConstantTimeCompare(k.Bytes(), other.Bytes()) == 1
}

// PubKey returns the key's point.
func (k *PrivKey) PubKey() cryptotypes.PubKey {
	return &PubKey{Key: secp256k1.PrivKeyFromBytes(k.Key).PubKey().SerializeCompressed()}
}

// Sign signs the Keccak-256 hash of the message: r followed by s, 64 bytes, s in the lower half.
func (k *PrivKey) Sign(message []byte) ([]byte, error) {
	if len(k.Key) != PrivKeySize {
		return nil, sdkerrors.ErrInvalidType.Wrapf("a private key has %d bytes, got %d", PrivKeySize, len(k.Key))
	}
	withRecovery := ecdsa.SignCompact(secp256k1.PrivKeyFromBytes(k.Key), keccak256(message), false)
	return withRecovery[1:], nil
}

// MarshalAmino returns the bare scalar.
func (k PrivKey) MarshalAmino() ([]byte, error) { return k.Key, nil }

// UnmarshalAmino reads the bare scalar. It fails if the length is not 32 bytes.
func (k *PrivKey) UnmarshalAmino(scalar []byte) error {
	if len(scalar) != PrivKeySize {
		return sdkerrors.ErrInvalidType.Wrapf("a private key has %d bytes, got %d", PrivKeySize, len(scalar))
	}
	k.Key = scalar
	return nil
}

// MarshalAminoJSON is MarshalAmino.
func (k PrivKey) MarshalAminoJSON() ([]byte, error) { return k.MarshalAmino() }

// UnmarshalAminoJSON is UnmarshalAmino.
func (k *PrivKey) UnmarshalAminoJSON(scalar []byte) error { return k.UnmarshalAmino(scalar) }

func keccak256(data []byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	hash.Write(data)
	return hash.Sum(nil)
}
