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

// As in x/dynamic-fee of L1: the gas limits in a block at which the price stays, the most that a block can have, and the highest price.
const targetGas, blockGas, highestPrice = 100_000_000, 200_000_000, 10_000_000

// gasPrice is the resource: BaseGasPrice of the module.
type gasPrice struct{ Millionths, Least, Load uint64 }

// afterBlock is the price in the next block, which differs by a tenth at most.
func (p gasPrice) afterBlock() gasPrice {
	moved := p.Millionths * (9*targetGas + min(p.Load, blockGas)) / (10 * targetGas)
	return gasPrice{Millionths: min(max(moved, p.Least), highestPrice), Least: p.Least}
}

// AnteDecorators refuse a transaction whose fee is below the base price.
func (m *machine) AnteDecorators() []sdk.AnteDecorator {
	return []sdk.AnteDecorator{basePriceDecorator{m}}
}

// basePriceDecorator is L1's check of dynamic fees: as there, only the mempool refuses, and a block counts gas limits.
type basePriceDecorator struct{ m *machine }

func (d basePriceDecorator) AnteHandle(ctx sdk.Context, tx sdk.Tx, simulate bool, next sdk.AnteHandler) (sdk.Context, error) {
	if simulate {
		return next(ctx, tx, simulate)
	}
	fee, ok := tx.(sdk.FeeTx)
	if !ok {
		return ctx, errorsmod.Wrap(sdkerrors.ErrTxDecode, "Tx must be a FeeTx")
	}
	if !ctx.IsCheckTx() {
		err := d.m.changePrice(ctx, func(price gasPrice) gasPrice {
			price.Load = min(price.Load, blockGas) + min(fee.GetGas(), blockGas)
			return price
		})
		if err != nil {
			return ctx, err
		}
		return next(ctx, tx, simulate)
	}
	price, err := d.m.price(ctx)
	if err != nil {
		return ctx, err
	}
	base, gas := price.amount(), int64(max(fee.GetGas(), 1))
	if paid := sdkmath.LegacyNewDecFromInt(fee.GetFee().AmountOf(chain.FeeDenom)).QuoInt64(gas); paid.LT(base) {
		return ctx, errorsmod.Wrapf(sdkerrors.ErrInsufficientFee,
			"insufficient gas price; got: %s (sum %s), base gas price required: %s", fee.GetFee(), paid, base)
	}
	return next(ctx, tx, simulate)
}

// resources is what the Move VM has for this module.
type resources interface {
	Resource(ctx sdk.Context, publisher [32]byte, module, name string) ([]byte, error)
	SetResource(ctx sdk.Context, publisher [32]byte, module, name string, data []byte) error
}

// price reads the resource. L1 does not charge for this, nor for changePrice.
func (m *machine) price(ctx sdk.Context) (price gasPrice, err error) {
	raw, err := m.VM.(resources).Resource(ctx.WithGasMeter(storetypes.NewInfiniteGasMeter()), address, priceModule, priceName)
	if err == nil {
		_, err = binary.Decode(raw, binary.LittleEndian, &price)
	}
	return price, err
}

func (m *machine) changePrice(ctx sdk.Context, change func(gasPrice) gasPrice) error {
	price, err := m.price(ctx)
	if err != nil {
		return err
	}
	next := change(price)
	// A block that writes is followed by the next one immediately, even if it writes the same.
	if next == price {
		return nil
	}
	data, err := binary.Append(nil, binary.LittleEndian, next)
	if err != nil {
		return err
	}
	return m.VM.(resources).SetResource(ctx.WithGasMeter(storetypes.NewInfiniteGasMeter()), address, priceModule, priceName, data)
}

func (p gasPrice) amount() sdkmath.LegacyDec {
	return sdkmath.LegacyNewDecWithPrec(int64(p.Millionths), 6)
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
		var price gasPrice
		if _, err := binary.Decode(answer.Resource.RawBytes, binary.LittleEndian, &price); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]sdk.DecCoins{"gas_prices": {sdk.NewDecCoinFromDec(chain.FeeDenom, price.amount())}})
	})
	return nil
}
