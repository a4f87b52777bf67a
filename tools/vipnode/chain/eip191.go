package chain

import (
	"context"
	"fmt"

	signingv1beta1 "cosmossdk.io/api/cosmos/tx/signing/v1beta1"
	txsigning "cosmossdk.io/x/tx/signing"
	"cosmossdk.io/x/tx/signing/aminojson"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/cosmos/cosmos-sdk/types/tx/signing"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authsigning "github.com/cosmos/cosmos-sdk/x/auth/signing"
	"google.golang.org/protobuf/types/known/anypb"
)

// eip191Handler returns what a hardware wallet's Ethereum app signs: the amino JSON of a transaction as an Ethereum message.
// Facts from initia v1.4.6, tx/eip191.go.
type eip191Handler struct{ *aminojson.SignModeHandler }

func (eip191Handler) Mode() signingv1beta1.SignMode {
	return signingv1beta1.SignMode_SIGN_MODE_EIP_191
}

func (h eip191Handler) GetSignBytes(ctx context.Context, signer txsigning.SignerData, tx txsigning.TxData) ([]byte, error) {
	document, err := h.SignModeHandler.GetSignBytes(ctx, signer, tx)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "\x19Ethereum Signed Message:\n%d%s", len(document), document), nil
}

// eip191Decorator verifies the transactions of single keys that are signed in SIGN_MODE_EIP_191. The SDK's own check, which
// verifies all others, refuses that mode even if it has a handler.
type eip191Decorator struct {
	accounts authkeeper.AccountKeeper
	modes    *txsigning.HandlerMap
	// others is the SDK's check of sequences and signatures.
	others sdk.AnteDecorator
}

func (d eip191Decorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	signed, ok := tx.(authsigning.Tx)
	if !ok {
		return ctx, sdkerrors.ErrTxDecode.Wrap("invalid transaction type")
	}
	signatures, err := signed.GetSignaturesV2()
	if err != nil {
		return ctx, err
	}
	if len(signatures) != 1 || !isEIP191(signatures[0]) {
		return d.others.AnteHandle(ctx, tx, simulate, next)
	}
	signers, err := signed.GetSigners()
	if err != nil {
		return ctx, err
	}
	if len(signers) != 1 {
		return ctx, sdkerrors.ErrUnauthorized.Wrapf("invalid number of signer;  expected: %d, got 1", len(signers))
	}
	account, err := ante.GetSignerAcc(ctx, d.accounts, signers[0])
	if err != nil {
		return ctx, err
	}
	if signatures[0].Sequence != account.GetSequence() {
		return ctx, sdkerrors.ErrWrongSequence.Wrapf(
			"account sequence mismatch, expected %d, got %d", account.GetSequence(), signatures[0].Sequence)
	}
	if !simulate && !ctx.IsReCheckTx() && ctx.IsSigverifyTx() {
		if err := d.verify(ctx, signed, account, signatures[0]); err != nil {
			return ctx, sdkerrors.ErrUnauthorized.Wrapf(
				"signature verification failed; please verify account number (%d) and chain-id (%s): (%s)",
				account.GetAccountNumber(), ctx.ChainID(), err)
		}
	}
	return next(ctx, tx, simulate)
}

func (d eip191Decorator) verify(ctx sdk.Context, tx authsigning.Tx, account sdk.AccountI, signature signing.SignatureV2) error {
	key := account.GetPubKey()
	if key == nil {
		return sdkerrors.ErrInvalidPubKey.Wrap("pubkey on account is not set")
	}
	packed, err := codectypes.NewAnyWithValue(key)
	if err != nil {
		return err
	}
	adaptable, ok := tx.(authsigning.V2AdaptableTx)
	if !ok {
		return fmt.Errorf("expected tx to implement V2AdaptableTx, got %T", tx)
	}
	message, err := d.modes.GetSignBytes(ctx, eip191Handler{}.Mode(), txsigning.SignerData{
		Address:       account.GetAddress().String(),
		ChainID:       ctx.ChainID(),
		AccountNumber: account.GetAccountNumber(),
		Sequence:      account.GetSequence(),
		PubKey:        &anypb.Any{TypeUrl: packed.TypeUrl, Value: packed.Value},
	}, adaptable.GetSigningTxData())
	if err != nil {
		return err
	}
	if !key.VerifySignature(message, signature.Data.(*signing.SingleSignatureData).Signature) {
		return fmt.Errorf("unable to verify single signer signature")
	}
	return nil
}

func isEIP191(signature signing.SignatureV2) bool {
	single, ok := signature.Data.(*signing.SingleSignatureData)
	return ok && single.SignMode == signing.SignMode_SIGN_MODE_EIP_191
}
