package move

import (
	storetypes "cosmossdk.io/store/types"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/query"
	"github.com/initia-labs/movevm/api"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// tableTypes are the types of a table's keys and values.
func tableTypes(store storetypes.KVStore, handle vmtypes.AccountAddress) (vmtypes.TableInfo, error) {
	key := stateKey(handle, keptTableInfo, nil)
	stored := store.Get(key)
	if stored == nil {
		return vmtypes.TableInfo{}, notFound(key)
	}
	return vmtypes.BcsDeserializeTableInfo(stored)
}

// TableInfo returns the types of a table.
func (k *Keeper) TableInfo(ctx sdk.Context, handle vmtypes.AccountAddress) (types.TableInfo, error) {
	info, err := tableTypes(k.store(ctx), handle)
	if err != nil {
		return types.TableInfo{}, err
	}
	keyType, err := api.StringifyTypeTag(info.KeyType)
	if err != nil {
		return types.TableInfo{}, err
	}
	valueType, err := api.StringifyTypeTag(info.ValueType)
	if err != nil {
		return types.TableInfo{}, err
	}
	return types.TableInfo{Address: handle.String(), KeyType: keyType, ValueType: valueType}, nil
}

// TableEntry returns the row of one key, in BCS.
func (k *Keeper) TableEntry(ctx sdk.Context, handle vmtypes.AccountAddress, key []byte) (types.TableEntry, error) {
	store := k.store(ctx)
	info, err := tableTypes(store, handle)
	if err != nil {
		return types.TableEntry{}, err
	}
	full := stateKey(handle, keptTableEntry, key)
	value := store.Get(full)
	if value == nil {
		return types.TableEntry{}, notFound(full)
	}
	return readEntry(store, handle, info, key, value)
}

// TableEntries returns a page of rows, sorted by their keys' bytes.
func (k *Keeper) TableEntries(ctx sdk.Context, handle vmtypes.AccountAddress, page *query.PageRequest) ([]types.TableEntry, *query.PageResponse, error) {
	store := k.store(ctx)
	info, err := tableTypes(store, handle)
	if err != nil {
		return nil, nil, err
	}
	entries := []types.TableEntry{}
	next, err := readPage(store, handle, keptTableEntry, page, func(key, value []byte) error {
		entry, err := readEntry(store, handle, info, key, value)
		entries = append(entries, entry)
		return err
	})
	return entries, next, err
}

func readEntry(store storetypes.KVStore, handle vmtypes.AccountAddress, info vmtypes.TableInfo, key, value []byte) (types.TableEntry, error) {
	keyText, err := valueText(store, info.KeyType, key)
	if err != nil {
		return types.TableEntry{}, err
	}
	text, err := valueText(store, info.ValueType, value)
	if err != nil {
		return types.TableEntry{}, err
	}
	return types.TableEntry{Address: handle.String(), Key: keyText, Value: text, KeyBytes: key, ValueBytes: value}, nil
}

func valueText(store storetypes.KVStore, tag vmtypes.TypeTag, value []byte) (string, error) {
	decoded, err := api.DecodeMoveValue(store, tag, value)
	return string(decoded), err
}
