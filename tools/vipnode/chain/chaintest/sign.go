package chaintest

import (
	"bytes"
	"context"

	signingv1beta1 "cosmossdk.io/api/cosmos/tx/signing/v1beta1"
	sdkmath "cosmossdk.io/math"
	txsigning "cosmossdk.io/x/tx/signing"
	"github.com/cosmos/cosmos-sdk/client"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	cryptotypes "github.com/cosmos/cosmos-sdk/crypto/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	txtypes "github.com/cosmos/cosmos-sdk/types/tx"
	"github.com/cosmos/cosmos-sdk/types/tx/signing"
	authsigning "github.com/cosmos/cosmos-sdk/x/auth/signing"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	mempooltypes "github.com/vipscore/vipscore/tools/vipnode/mempool/types"
)

// Gas is a limit that is enough for any transaction of a test.
const Gas = 100_000_000

// Signed is a transaction with its signature.
type Signed struct {
	ChainID       string
	Key           cryptotypes.PrivKey
	AccountNumber uint64
	Sequence      uint64
	Gas           uint64
	// Fee is optional.
	Fee      sdk.Coins
	Messages []sdk.Msg
	// Mode is how the transaction is signed. Default: the direct mode.
	Mode signing.SignMode
	// Queued lets the transaction wait for earlier sequences.
	Queued bool
	// TimeoutHeight is the last block that may include the transaction; 0 for no limit.
	TimeoutHeight uint64
}

// Sign returns the bytes of a transaction.
func (c *Client) Sign(signed Signed) []byte {
	c.t.Helper()
	builder := c.encoding.Tx.NewTxBuilder()
	if err := builder.SetMsgs(signed.Messages...); err != nil {
		c.t.Fatalf("messages: %v", err)
	}
	builder.SetGasLimit(signed.Gas)
	builder.SetFeeAmount(signed.Fee)
	builder.SetTimeoutHeight(signed.TimeoutHeight)
	if signed.Queued {
		queued, err := codectypes.NewAnyWithValue(&mempooltypes.ExtensionOptionQueuedTx{})
		if err != nil {
			c.t.Fatalf("extension option: %v", err)
		}
		builder.(client.ExtendedTxBuilder).SetExtensionOptions(queued)
	}
	mode := signed.Mode
	if mode == signing.SignMode_SIGN_MODE_UNSPECIFIED {
		mode = signing.SignMode_SIGN_MODE_DIRECT
	}
	// The signed bytes contain the signer's key and mode, so set them first.
	signer := signing.SignatureV2{
		PubKey:   signed.Key.PubKey(),
		Data:     &signing.SingleSignatureData{SignMode: mode},
		Sequence: signed.Sequence,
	}
	if err := builder.SetSignatures(signer); err != nil {
		c.t.Fatalf("signer: %v", err)
	}
	handlers, data := c.encoding.Tx.SignModeHandler(), builder.GetTx().(authsigning.V2AdaptableTx).GetSigningTxData()
	message, err := handlers.GetSignBytes(context.Background(), signingv1beta1.SignMode(mode), txsigning.SignerData{
		Address:       sdk.AccAddress(signed.Key.PubKey().Address()).String(),
		ChainID:       signed.ChainID,
		AccountNumber: signed.AccountNumber,
		Sequence:      signed.Sequence,
	}, data)
	if err != nil {
		c.t.Fatalf("message to sign: %v", err)
	}
	signature, err := signed.Key.Sign(message)
	if err != nil {
		c.t.Fatalf("sign: %v", err)
	}
	signer.Data = &signing.SingleSignatureData{SignMode: mode, Signature: signature}
	if err := builder.SetSignatures(signer); err != nil {
		c.t.Fatalf("signature: %v", err)
	}
	tx, err := c.encoding.Tx.TxEncoder()(builder.GetTx())
	if err != nil {
		c.t.Fatalf("encode: %v", err)
	}
	return tx
}

// WithSignature returns a transaction whose only signature is changed.
func (c *Client) WithSignature(tx []byte, change func(signature []byte) []byte) []byte {
	c.t.Helper()
	var raw txtypes.TxRaw
	if err := raw.Unmarshal(tx); err != nil {
		c.t.Fatalf("decode: %v", err)
	}
	raw.Signatures[0] = change(bytes.Clone(raw.Signatures[0]))
	changed, err := raw.Marshal()
	if err != nil {
		c.t.Fatalf("encode: %v", err)
	}
	return changed
}

// Transaction returns a transaction of an account with its next sequence and with Gas.
func (c *Client) Transaction(from chain.TestAccount, messages ...sdk.Msg) []byte {
	c.t.Helper()
	number, sequence := c.Account(from.Address)
	return c.Sign(Signed{
		ChainID: c.chainID, Key: from.Key, AccountNumber: number, Sequence: sequence, Gas: Gas, Fee: c.Fee,
		Messages: messages,
	})
}

// Send sends messages in one transaction and waits until it is in a block.
func (c *Client) Send(from chain.TestAccount, messages ...sdk.Msg) Result {
	c.t.Helper()
	checked := c.Broadcast(c.Transaction(from, messages...))
	if checked.Code != 0 {
		c.t.Fatalf("refused by the mempool: %s %d %s", checked.Codespace, checked.Code, checked.Log)
	}
	return c.Wait(checked.Hash)
}

// Payment returns a message that moves chain.FeeDenom from one account to another.
func Payment(from, to sdk.AccAddress, amount int64) sdk.Msg {
	return banktypes.NewMsgSend(from, to, sdk.NewCoins(sdk.NewCoin(chain.FeeDenom, sdkmath.NewInt(amount))))
}
