package move

import (
	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/query"
	"github.com/initia-labs/movevm/api"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// metadataStore is the resource in which the standard library stores, per publisher, the upgrade policy of each module.
var metadataStore = vmtypes.StructTag{Address: vmtypes.StdAddress, Module: "code", Name: "MetadataStore", TypeArgs: []vmtypes.TypeTag{}}

// Module returns a published module.
func (k *Keeper) Module(ctx sdk.Context, publisher vmtypes.AccountAddress, name string) (types.Module, error) {
	key, err := moduleKey(publisher, name)
	if err != nil {
		return types.Module{}, err
	}
	store := k.store(ctx)
	code := store.Get(key)
	if code == nil {
		return types.Module{}, notFound(key)
	}
	return readModule(store, publisher, name, code)
}

// Modules returns a page of a publisher's modules, sorted by the length of the name, then by name.
func (k *Keeper) Modules(ctx sdk.Context, publisher vmtypes.AccountAddress, page *query.PageRequest) ([]types.Module, *query.PageResponse, error) {
	modules := []types.Module{}
	store := k.store(ctx)
	next, err := readPage(store, publisher, keptModule, page, func(key, code []byte) error {
		name, err := vmtypes.DeserializeString(key)
		if err != nil {
			return err
		}
		module, err := readModule(store, publisher, name, code)
		modules = append(modules, module)
		return err
	})
	return modules, next, err
}

func readModule(store storetypes.KVStore, publisher vmtypes.AccountAddress, name string, code []byte) (types.Module, error) {
	abi, err := api.DecodeModuleBytes(code)
	if err != nil {
		return types.Module{}, err
	}
	policy, err := upgradePolicy(store, publisher, name)
	if err != nil {
		return types.Module{}, err
	}
	return types.Module{
		Address: publisher.String(), ModuleName: name, Abi: string(abi), RawBytes: code, UpgradePolicy: policy,
	}, nil
}

// upgradePolicy looks the module up in the standard library's table, whose keys are texts such as "0x1::coin".
func upgradePolicy(store storetypes.KVStore, publisher vmtypes.AccountAddress, name string) (types.UpgradePolicy, error) {
	resource, err := resourceKey(publisher, metadataStore)
	if err != nil {
		return types.UpgradePolicyUnspecified, err
	}
	held := store.Get(resource)
	if held == nil {
		return types.UpgradePolicyUnspecified, notFound(resource)
	}
	handle, err := tableHandle(held)
	if err != nil {
		return types.UpgradePolicyUnspecified, err
	}
	identity, err := vmtypes.SerializeString(vmtypes.NewModuleId(publisher, name).String())
	if err != nil {
		return types.UpgradePolicyUnspecified, err
	}
	key := stateKey(handle, keptTableEntry, identity)
	policy := store.Get(key)
	if len(policy) != 1 {
		return types.UpgradePolicyUnspecified, notFound(key)
	}
	return types.UpgradePolicy(policy[0]), nil
}
