package chaintest

import (
	"strings"

	txtypes "github.com/cosmos/cosmos-sdk/types/tx"
	"github.com/cosmos/cosmos-sdk/types/tx/signing"
)

// HardwareModes are the modes that hardware wallets sign in: the Cosmos app in the first, the Ethereum app in the second.
var HardwareModes = []signing.SignMode{
	signing.SignMode_SIGN_MODE_LEGACY_AMINO_JSON,
	signing.SignMode_SIGN_MODE_EIP_191,
}

// AcceptOnlyUnchanged asserts that the chain refuses a transaction after one bit of its signature or of what is signed has
// changed, and includes the original.
func (c *Client) AcceptOnlyUnchanged(signed Signed) {
	c.t.Helper()
	tx := c.Sign(signed)
	other := signed
	other.Gas++
	var raw txtypes.TxRaw
	if err := raw.Unmarshal(c.Sign(other)); err != nil {
		c.t.Fatalf("decode: %v", err)
	}
	for what, change := range map[string]func([]byte) []byte{
		"one bit changed":        func(signature []byte) []byte { signature[10] ^= 1; return signature },
		"of another transaction": func([]byte) []byte { return raw.Signatures[0] },
	} {
		result := c.Broadcast(c.WithSignature(tx, change))
		if result.Codespace != "sdk" || result.Code != 4 || !strings.Contains(result.Log, "signature verification failed") {
			c.t.Errorf("%s, %s: %+v", signed.Mode, what, result)
		}
	}
	checked := c.Broadcast(tx)
	if checked.Code != 0 {
		c.t.Fatalf("%s, %s: %+v", signed.Mode, signed.Key.Type(), checked)
	}
	if result := c.Wait(checked.Hash); result.Code != 0 {
		c.t.Fatalf("%s, %s, in a block: %+v", signed.Mode, signed.Key.Type(), result)
	}
}

// WithMode returns a transaction that claims another mode of its only signature.
func (c *Client) WithMode(tx []byte, mode signing.SignMode) []byte {
	c.t.Helper()
	var raw txtypes.TxRaw
	var auth txtypes.AuthInfo
	if err := raw.Unmarshal(tx); err != nil {
		c.t.Fatalf("decode: %v", err)
	}
	if err := auth.Unmarshal(raw.AuthInfoBytes); err != nil {
		c.t.Fatalf("decode: %v", err)
	}
	auth.SignerInfos[0].ModeInfo.GetSingle().Mode = mode
	var err error
	if raw.AuthInfoBytes, err = auth.Marshal(); err != nil {
		c.t.Fatalf("encode: %v", err)
	}
	changed, err := raw.Marshal()
	if err != nil {
		c.t.Fatalf("encode: %v", err)
	}
	return changed
}
