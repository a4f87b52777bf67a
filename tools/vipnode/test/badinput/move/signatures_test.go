package move_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"
	txtypes "github.com/cosmos/cosmos-sdk/types/tx"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
	"github.com/vipscore/vipscore/tools/vipnode/test/badinput"
)

func TestSignaturesThatAreRefused(t *testing.T) {
	tt := start(t)
	number, sequence := tt.Client.Account(tt.Sender.Address)
	good := tt.Sign(tt.call("set", make([]byte, 8)))
	resigned := func(change func(signature []byte) []byte) []byte { return tt.Client.WithSignature(good, change) }
	const verification = "signature verification failed"
	for _, one := range []struct {
		name string
		tx   []byte
		text string
	}{
		{"one bit changed", resigned(func(s []byte) []byte { s[10] ^= 1; return s }), verification},
		{"zeros", resigned(func(s []byte) []byte { return make([]byte, len(s)) }), verification},
		{"ones", resigned(func(s []byte) []byte { return bytes.Repeat([]byte{0xff}, len(s)) }), verification},
		{"63 bytes", resigned(func(s []byte) []byte { return s[:63] }), verification},
		{"65 bytes", resigned(func(s []byte) []byte { return append(s, 0) }), verification},
		{"66 bytes", resigned(func(s []byte) []byte { return append(s, 0, 0) }), verification},
		{"100,000 bytes", resigned(func([]byte) []byte { return make([]byte, 100_000) }), verification},
		{"empty", resigned(func([]byte) []byte { return nil }), ""},
		{"high half", resigned(negated), verification},
		{"of the operator", tt.Client.Sign(chaintest.Signed{
			ChainID: badinput.ChainID, Key: chain.Operator(chain.EthCoinType).Key, AccountNumber: number, Sequence: sequence, Gas: badinput.Gas,
			Messages: []sdk.Msg{tt.call("set", make([]byte, 8))},
		}), "pubKey does not match signer address"},
		{"none", withoutSignatures(t, good), "no signatures supplied"},
	} {
		t.Run(one.name, func(t *testing.T) {
			result := tt.Client.Broadcast(one.tx)
			if result.Code == 0 || result.Codespace != "sdk" {
				t.Fatalf("%s %d %s", result.Codespace, result.Code, result.Log)
			}
			if !bytes.Contains([]byte(result.Log), []byte(one.text)) {
				t.Errorf("%q does not contain %q", result.Log, one.text)
			}
			if _, found, err := tt.Client.Find(hash(one.tx)); found || err != nil {
				t.Errorf("in a block: %v %v", found, err)
			}
		})
	}
	if result := tt.Client.Broadcast(good); result.Code != 0 {
		t.Errorf("the good one: %s", result.Log)
	}
	tt.Client.Wait(hash(good))
}

// What hardware wallets sign of each of a module's messages.
func TestSignedForHardwareWallets(t *testing.T) {
	tt := start(t)
	for _, mode := range chaintest.HardwareModes {
		for _, message := range []sdk.Msg{
			tt.call("set", number(1)), tt.callJSON("set", `"2"`), tt.publishMessage(pitfalls(t)),
		} {
			accountNumber, sequence := tt.Client.Account(tt.Sender.Address)
			tt.Client.AcceptOnlyUnchanged(chaintest.Signed{
				ChainID: badinput.ChainID, Key: tt.Sender.Key, AccountNumber: accountNumber, Sequence: sequence, Gas: chaintest.Gas,
				Mode: mode, Messages: []sdk.Msg{message},
			})
		}
	}
}

// negated returns the other valid signature of the same message: its second half is the group's order minus the original.
// It is refused, so that nobody can give a transaction a second hash.
func negated(signature []byte) []byte {
	order := []byte{
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
		0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
	}
	borrow := 0
	for i := 31; i >= 0; i-- {
		value := int(order[i]) - int(signature[32+i]) - borrow
		borrow = 0
		if value < 0 {
			value += 256
			borrow = 1
		}
		signature[32+i] = byte(value)
	}
	return signature
}

func withoutSignatures(t *testing.T, tx []byte) []byte {
	t.Helper()
	var raw txtypes.TxRaw
	if err := raw.Unmarshal(tx); err != nil {
		t.Fatal(err)
	}
	raw.Signatures = nil
	content, err := raw.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func hash(tx []byte) string {
	return fmt.Sprintf("%X", sha256.Sum256(tx))
}
