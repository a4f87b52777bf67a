package chain

import (
	storetypes "cosmossdk.io/store/types"
	txsigning "cosmossdk.io/x/tx/signing"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/tx/signing"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	bankkeeper "github.com/cosmos/cosmos-sdk/x/bank/keeper"

	"github.com/vipscore/vipscore/tools/vipnode/ethsecp256k1"
	"github.com/vipscore/vipscore/tools/vipnode/mempool/types"
)

// newAnteHandler is the SDK's own chain of checks in the SDK's order, with six changes: the signature of an ethsecp256k1
// key has a price, a simulation has an end, a rollup's gas is charged, a used sequence is refused with a rollup's words,
// initia's mempool expects other sequences, and a chain that goes on does so before its next block.
// A virtual machine's own come before the checks; it names them in a method AnteDecorators() []sdk.AnteDecorator.
func newAnteHandler(
	accounts authkeeper.AccountKeeper, bank bankkeeper.Keeper, modes *txsigning.HandlerMap, vm VM, mempool Mempool,
	lastHeight func() int64,
) sdk.AnteHandler {
	gas := rollupGas(vm)
	var isExtensionKnown ante.ExtensionOptionChecker
	var deductFee, verify, increment sdk.AnteDecorator = ante.NewDeductFeeDecorator(accounts, bank, nil, nil),
		ante.NewSigVerificationDecorator(accounts, modes), ante.NewIncrementSequenceDecorator(accounts)
	if mempool == MempoolInitia {
		isExtensionKnown = types.IsQueuedTx
		deductFee, increment = leavesNoTrace{deductFee}, leavesNoTrace{increment}
		verify = newQueuedSequenceDecorator(accounts, verify)
	}
	decorators := []sdk.AnteDecorator{
		restartDecorator{lastHeight}, ante.NewSetUpContextDecorator(), simulationLimitDecorator{simulationGas(vm)},
	}
	if known, ok := vm.(interface{ AnteDecorators() []sdk.AnteDecorator }); ok {
		decorators = append(decorators, known.AnteDecorators()...)
	}
	return sdk.ChainAnteDecorators(append(decorators,
		ante.NewExtensionOptionsDecorator(isExtensionKnown),
		ante.NewValidateBasicDecorator(),
		ante.NewTxTimeoutHeightDecorator(),
		ante.NewValidateMemoDecorator(accounts),
		ante.NewConsumeGasForTxSizeDecorator(accounts),
		rollupGasDecorator{gas},
		unlessBare{deductFee, gas},
		ante.NewSetPubKeyDecorator(accounts),
		ante.NewValidateSigCountDecorator(accounts),
		ante.NewSigGasConsumeDecorator(accounts, consumeSignatureGas),
		staleSequenceDecorator{accounts},
		verify,
		unlessBare{increment, gas},
	)...)
}

// consumeSignatureGas charges for one signature. The SDK knows no ethsecp256k1 key; it costs what a secp256k1 key does.
func consumeSignatureGas(meter storetypes.GasMeter, signature signing.SignatureV2, params authtypes.Params) error {
	if _, ok := signature.PubKey.(*ethsecp256k1.PubKey); ok {
		meter.ConsumeGas(params.SigVerifyCostSecp256k1, "ante verify: eth_secp256k1")
		return nil
	}
	return ante.DefaultSigVerificationGasConsumer(meter, signature, params)
}
