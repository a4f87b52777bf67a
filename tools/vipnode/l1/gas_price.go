package l1

import (
	"encoding/binary"
	"encoding/json"
	"net/http"

	errorsmod "cosmossdk.io/errors"
	sdkmath "cosmossdk.io/math"
	storetypes "cosmossdk.io/store/types"
	"github.com/cosmos/cosmos-sdk/client"
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	movetypes "github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// priceModule and priceName name the resource that holds the base price of gas.
const priceModule, priceName = "gas_price", "BaseGasPrice"

// AnteDecorators refuse a transaction whose fee is below the base price.
func (m *machine) AnteDecorators() []sdk.AnteDecorator {
	return []sdk.AnteDecorator{basePriceDecorator{m}}
}

// basePriceDecorator is L1's check of dynamic fees: as there, only the mempool refuses.
type basePriceDecorator struct{ m *machine }

func (d basePriceDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if !ctx.IsCheckTx() || simulate {
		return next(ctx, tx, simulate)
	}
	fee, ok := tx.(sdk.FeeTx)
	if !ok {
		return ctx, errorsmod.Wrap(sdkerrors.ErrTxDecode, "Tx must be a FeeTx")
	}
	resources := d.m.VM.(interface {
		Resource(ctx sdk.Context, publisher [32]byte, module, name string) ([]byte, error)
	})
	// L1 does not charge for this read.
	raw, err := resources.Resource(ctx.WithGasMeter(storetypes.NewInfiniteGasMeter()), address, priceModule, priceName)
	if err != nil {
		return ctx, err
	}
	base, gas := basePrice(raw), int64(max(fee.GetGas(), 1))
	if paid := sdkmath.LegacyNewDecFromInt(fee.GetFee().AmountOf(chain.FeeDenom)).QuoInt64(gas); paid.LT(base) {
		return ctx, errorsmod.Wrapf(sdkerrors.ErrInsufficientFee,
			"insufficient gas price; got: %s (sum %s), base gas price required: %s", fee.GetFee(), paid, base)
	}
	return next(ctx, tx, simulate)
}

// basePrice reads the resource.
func basePrice(raw []byte) sdkmath.LegacyDec {
	return sdkmath.LegacyNewDecWithPrec(int64(binary.LittleEndian.Uint64(raw)), 6)
}

// registerGasPrices adds the route of L1 that lists the base price in each token that pays fees: here one.
func registerGasPrices(clientContext client.Context, mux *runtime.ServeMux) error {
	pattern, err := runtime.NewPattern(1, []int{2, 0, 2, 1, 2, 2, 2, 3}, []string{"initia", "tx", "v1", "gas_prices"}, "")
	if err != nil {
		return err
	}
	queries := movetypes.NewQueryClient(clientContext)
	mux.Handle(http.MethodGet, pattern, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		request := &movetypes.QueryResourceRequest{
			Address: Address(), StructTag: Address() + "::" + priceModule + "::" + priceName,
		}
		answer, err := queries.Resource(r.Context(), request)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		price := sdk.NewDecCoinFromDec(chain.FeeDenom, basePrice(answer.Resource.RawBytes))
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]sdk.DecCoins{"gas_prices": {price}})
	})
	return nil
}
