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

// newAnteHandler is the SDK's chain of checks in the SDK's order, with seven changes: an ethsecp256k1 signature has a price,
// a hardware wallet's Ethereum app may sign, a simulation has a gas limit, a rollup's gas is charged, a used sequence is
// refused with a rollup's text, initia's mempool expects other sequences, and a restarted chain accepts transactions before
// its next block.
// A virtual machine's own checks come first; it returns them from a method AnteDecorators() []sdk.AnteDecorator.
func newAnteHandler(
	accounts authkeeper.AccountKeeper, bank bankkeeper.Keeper, modes *txsigning.HandlerMap, vm VM, mempool Mempool,
	lastHeight func() int64,
) sdk.AnteHandler {
	gas := rollupGas(vm)
	var isExtensionKnown ante.ExtensionOptionChecker
	var deductFee, verify, increment sdk.AnteDecorator = ante.NewDeductFeeDecorator(accounts, bank, nil, nil),
		eip191Decorator{accounts, modes, ante.NewSigVerificationDecorator(accounts, modes)},
		ante.NewIncrementSequenceDecorator(accounts)
	if mempool == MempoolInitia {
		isExtensionKnown = types.IsQueuedTx
		deductFee, increment = leavesNoTrace{deductFee}, leavesNoTrace{increment}
		if paysInBlocks(vm) {
			deductFee = exceptAtFirst{deductFee}
		}
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

// consumeSignatureGas charges for one signature. The SDK does not know ethsecp256k1 keys; they cost as much as secp256k1 keys.
func consumeSignatureGas(meter storetypes.GasMeter, signature signing.SignatureV2, params authtypes.Params) error {
	if _, ok := signature.PubKey.(*ethsecp256k1.PubKey); ok {
		meter.ConsumeGas(params.SigVerifyCostSecp256k1, "ante verify: eth_secp256k1")
		return nil
	}
	return ante.DefaultSigVerificationGasConsumer(meter, signature, params)
}
