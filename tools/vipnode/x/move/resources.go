package move

import (
	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/query"
	"github.com/initia-labs/movevm/api"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// Resource returns the resource of one type at an address.
func (k *Keeper) Resource(ctx sdk.Context, holder vmtypes.AccountAddress, tag vmtypes.StructTag) (types.Resource, error) {
	key, err := resourceKey(holder, tag)
	if err != nil {
		return types.Resource{}, err
	}
	store := k.store(ctx)
	value := store.Get(key)
	if value == nil {
		return types.Resource{}, notFound(key)
	}
	return readResource(store, holder, tag, value)
}

// Resources returns a page of the resources at an address.
func (k *Keeper) Resources(ctx sdk.Context, holder vmtypes.AccountAddress, page *query.PageRequest) ([]types.Resource, *query.PageResponse, error) {
	resources := []types.Resource{}
	store := k.store(ctx)
	next, err := readPage(store, holder, keptResource, page, func(key, value []byte) error {
		tag, err := vmtypes.BcsDeserializeStructTag(key)
		if err != nil {
			return err
		}
		resource, err := readResource(store, holder, tag, value)
		resources = append(resources, resource)
		return err
	})
	return resources, next, err
}

func readResource(store storetypes.KVStore, holder vmtypes.AccountAddress, tag vmtypes.StructTag, value []byte) (types.Resource, error) {
	decoded, err := api.DecodeMoveResource(store, tag, value)
	if err != nil {
		return types.Resource{}, err
	}
	name, err := api.StringifyStructTag(tag)
	if err != nil {
		return types.Resource{}, err
	}
	return types.Resource{Address: holder.String(), StructTag: name, MoveResource: string(decoded), RawBytes: value}, nil
}
