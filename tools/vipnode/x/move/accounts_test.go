package move

import (
	"testing"

	sdk "github.com/cosmos/cosmos-sdk/types"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// Objects and tables are accounts, numbered without a gap in the order in which Move code made them.
func TestNewAccounts(t *testing.T) {
	f := withBoard(t)
	next, err := f.accounts.AccountNumber.Peek(f.ctx)
	must(t, err)
	events, _, err := f.execute(boardCall("make_objects", nil, u64(20)))
	must(t, err)
	after, err := f.accounts.AccountNumber.Peek(f.ctx)
	must(t, err)
	wantEqual(t, after, next+40)

	objects := 0
	for _, event := range events {
		object, found := event.GetAttribute("object")
		if !found {
			continue
		}
		account, isObject := f.accounts.GetAccount(f.ctx, sdkAddress(address(t, object.Value))).(*types.ObjectAccount)
		if !isObject {
			t.Fatalf("%s is not an object", object.Value)
		}
		// Each object comes with a table.
		wantEqual(t, account.AccountNumber, next+2*uint64(objects))
		wantEqual(t, f.viewData(t, "is_object", `"`+object.Value+`"`), "true")
		wantEqual(t, f.viewData(t, "owner", `"`+object.Value+`"`), `"`+operatorHex+`"`)
		objects++
	}
	wantEqual(t, objects, 20)
	wantEqual(t, f.viewData(t, "is_object", `"`+operatorHex+`"`), "false")

	handle := f.boardTable(t, 1)
	if _, isTable := f.accounts.GetAccount(f.ctx, sdkAddress(address(t, handle))).(*types.TableAccount); !isTable {
		t.Fatal("a table is not a table account")
	}
}

// Two calls of one transaction make different objects and tables.
func TestCallsOfOneTransactionDiffer(t *testing.T) {
	f := withBoard(t)
	_, _, err := f.deliver(plenty, func(ctx sdk.Context) error {
		for range 2 {
			if _, err := f.messages.Execute(ctx, boardCall("make_objects", nil, u64(1))); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
}

func TestAccountInfo(t *testing.T) {
	f := newFixture(t)
	asked := backend{keeper: f.keeper, ctx: f.ctx}
	found, number, _, kind, blocked := asked.GetAccountInfo(address(t, operatorHex))
	wantEqual(t, [3]bool{found, number == 1, blocked}, [3]bool{true, true, false})
	wantEqual(t, kind, vmtypes.AccountType_Base)

	f.accounts.GetModuleAccount(f.ctx, authtypes.FeeCollectorName)
	collector, err := vmtypes.NewAccountAddressFromBytes(authtypes.NewModuleAddress(authtypes.FeeCollectorName))
	must(t, err)
	found, _, _, kind, blocked = asked.GetAccountInfo(collector)
	wantEqual(t, [2]bool{found, blocked}, [2]bool{true, true})
	wantEqual(t, kind, vmtypes.AccountType_Module)

	found, _, _, _, _ = asked.GetAccountInfo(address(t, "0x1234"))
	wantEqual(t, found, false)
}

func TestNotAvailable(t *testing.T) {
	asked := backend{keeper: &Keeper{}}
	_, _, err := asked.Query(vmtypes.QueryRequest{Stargate: &vmtypes.StargateQuery{}}, 0)
	wantError(t, err, "queries of other modules: not available on this development node")
	_, _, err = asked.Query(vmtypes.QueryRequest{Custom: &vmtypes.CustomQuery{Name: "amount_to_share"}}, 0)
	wantError(t, err, "the query amount_to_share: not available on this development node")
	_, _, err = asked.Query(vmtypes.QueryRequest{Custom: &vmtypes.CustomQuery{Name: "balance"}}, 0)
	wantError(t, err, "the query balance: not available on this development node")
	_, err = asked.AmountToShare(nil, vmtypes.StdAddress, 1)
	wantError(t, err, "staking: not available on this development node")
	_, err = asked.ShareToAmount(nil, vmtypes.StdAddress, "1")
	wantError(t, err, "staking: not available on this development node")
	_, _, _, err = asked.GetPrice("BITCOIN/USD")
	wantError(t, err, "the oracle: not available on this development node")
}

func TestAddresses(t *testing.T) {
	f := newFixture(t)
	for _, text := range []string{operator, operatorHex, "0x0000" + operatorHex[2:]} {
		parsed, err := f.keeper.parseAddress(text)
		must(t, err)
		wantEqual(t, parsed.String(), operatorHex)
		wantEqual(t, sdkAddress(parsed).Equals(sdk.AccAddress(address(t, operatorHex).Bytes()[12:])), true)
	}
	object := "0x2387b394f9a4d1338e5aa4a5079e2c7b9c636a1b1035a4694883fe2dc217e7aa"
	wantEqual(t, len(sdkAddress(address(t, object))), 32)
	wantEqual(t, len(sdkAddress(vmtypes.StdAddress)), 20)
}
