package ethsecp256k1_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/cosmos/cosmos-sdk/codec/legacy"
	"github.com/cosmos/cosmos-sdk/crypto/keys/secp256k1"
	cryptotypes "github.com/cosmos/cosmos-sdk/crypto/types"
	dcrd "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"github.com/vipscore/vipscore/tools/vipnode/ethsecp256k1"
)

// The values of initia.js 1.1.0 for the deployer of the VIP integration guide with coin type 60: private key, public key,
// address, and its signature of the message.
const (
	message    = "vipscore"
	privateHex = "c66279cd23c73392b62238d8100cfc91e01d13e7626c3a06f63bf80f582fadf6"
	publicHex  = "03055c94423455adb6861317945fd33a561025040157b62dfe25b8e2307b453247"
	addressHex = "c5ea55d90ae84e307622f1b8b13535ec3eff0475"
	signedHex  = "8bd90e59a8be28085378f5c43d4589c296e0a3efaf86b01ee1c10417af2c4db649bd0a37db342ed43db13b46caee011e48f3f5103af653364dd258fb04fc77c6"
)

func fromHex(t *testing.T, digits string) []byte {
	t.Helper()
	data, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAgreesWithWallet(t *testing.T) {
	key := &ethsecp256k1.PrivKey{Key: fromHex(t, privateHex)}
	public := key.PubKey()
	if got := hex.EncodeToString(public.Bytes()); got != publicHex {
		t.Errorf("public key %s", got)
	}
	if got := hex.EncodeToString(public.Address()); got != addressHex {
		t.Errorf("address %s", got)
	}
	signature, err := key.Sign([]byte(message))
	if got := hex.EncodeToString(signature); err != nil || got != signedHex {
		t.Errorf("signature %s %v", got, err)
	}
	if !public.VerifySignature([]byte(message), fromHex(t, signedHex)) {
		t.Error("the wallet's signature is refused")
	}
}

func TestRefusesSignatures(t *testing.T) {
	public := &ethsecp256k1.PubKey{Key: fromHex(t, publicHex)}
	good := fromHex(t, signedHex)
	changed := func(change func([]byte)) []byte {
		copied := bytes.Clone(good)
		change(copied)
		return copied
	}
	for name, signature := range map[string][]byte{
		"none":               nil,
		"one byte less":      good[:63],
		"with recovery byte": append(bytes.Clone(good), 0),
		"changed r":          changed(func(b []byte) { b[0] ^= 1 }),
		"changed s":          changed(func(b []byte) { b[63] ^= 1 }),
		"zero":               make([]byte, 64),
		"r over the order":   changed(func(b []byte) { copy(b, bytes.Repeat([]byte{0xff}, 32)) }),
		"upper half of s": changed(func(b []byte) {
			var s dcrd.ModNScalar
			s.SetByteSlice(b[32:])
			upper := s.Negate().Bytes()
			copy(b[32:], upper[:])
		}),
	} {
		if public.VerifySignature([]byte(message), signature) {
			t.Errorf("%s: accepted", name)
		}
	}
	if public.VerifySignature([]byte(message+"!"), good) {
		t.Error("another message: accepted")
	}
	// The SDK's own key hashes with SHA-256.
	plain := &secp256k1.PrivKey{Key: fromHex(t, privateHex)}
	signature, err := plain.Sign([]byte(message))
	if err != nil || public.VerifySignature([]byte(message), signature) {
		t.Errorf("a signature of another hash: accepted, %v", err)
	}
}

func TestRefusesKeys(t *testing.T) {
	good := fromHex(t, publicHex)
	point, err := dcrd.ParsePubKey(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"none":          nil,
		"one byte less": good[:32],
		"uncompressed":  point.SerializeUncompressed(),
		"no point":      append([]byte{2}, bytes.Repeat([]byte{0xff}, 32)...),
	} {
		key := &ethsecp256k1.PubKey{Key: bad}
		if key.VerifySignature([]byte(message), fromHex(t, signedHex)) || len(key.Address()) != 0 {
			t.Errorf("%s: accepted, address %s", name, key.Address())
		}
		if name != "no point" && new(ethsecp256k1.PubKey).UnmarshalAmino(bad) == nil {
			t.Errorf("%s: read from amino", name)
		}
	}
	if _, err := (&ethsecp256k1.PrivKey{Key: []byte{1}}).Sign([]byte(message)); err == nil {
		t.Error("a short private key signs")
	}
	if new(ethsecp256k1.PrivKey).UnmarshalAmino([]byte{1}) == nil {
		t.Error("a short private key is read from amino")
	}
}

func TestEqualsComparesTypes(t *testing.T) {
	key := &ethsecp256k1.PubKey{Key: fromHex(t, publicHex)}
	if key.Equals(&secp256k1.PubKey{Key: key.Key}) || !key.Equals(&ethsecp256k1.PubKey{Key: key.Key}) {
		t.Error("equality ignores the type")
	}
}

func TestAminoOfTheWholeProcess(t *testing.T) {
	var key cryptotypes.PubKey = &ethsecp256k1.PubKey{Key: fromHex(t, publicHex)}
	encoded, err := legacy.Cdc.MarshalJSON(key)
	want := `{"type":"initia/PubKeyEthSecp256k1","value":"AwVclEI0Va22hhMXlF/TOlYQJQQBV7Yt/iW44jB7RTJH"}`
	if err != nil || string(encoded) != want {
		t.Fatalf("%s %v", encoded, err)
	}
	var decoded cryptotypes.PubKey
	if err := legacy.Cdc.UnmarshalJSON(encoded, &decoded); err != nil || !decoded.Equals(key) {
		t.Fatalf("%v %v", decoded, err)
	}
}

func TestPrivateKeyIsNotPrinted(t *testing.T) {
	key := &ethsecp256k1.PrivKey{Key: fromHex(t, privateHex)}
	if bytes.Contains([]byte(key.String()), []byte(privateHex[:8])) {
		t.Error(key.String())
	}
}
