package chain

import (
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	authsigning "github.com/cosmos/cosmos-sdk/x/auth/signing"
)

// claim is a signer of a transaction and the sequence that it signed with.
type claim struct {
	signer   sdk.AccAddress
	sequence uint64
}

// claimsOf returns who signed a transaction and with which sequences. It leaves out signers without a signature and
// signatures without a signer: the SDK's own checks refuse both.
func claimsOf(tx sdk.Tx) ([]claim, error) {
	signed, ok := tx.(authsigning.SigVerifiableTx)
	if !ok {
		return nil, sdkerrors.ErrTxDecode.Wrap("invalid transaction type")
	}
	signatures, err := signed.GetSignaturesV2()
	if err != nil {
		return nil, err
	}
	signers, err := signed.GetSigners()
	if err != nil {
		return nil, err
	}
	claims := make([]claim, min(len(signers), len(signatures)))
	for i := range claims {
		claims[i] = claim{signers[i], signatures[i].Sequence}
	}
	return claims, nil
}
