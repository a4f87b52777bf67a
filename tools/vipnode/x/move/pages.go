package move

import (
	"cosmossdk.io/store/prefix"
	storetypes "cosmossdk.io/store/types"
	"github.com/cosmos/cosmos-sdk/types/query"
	vmtypes "github.com/initia-labs/movevm/types"
)

// readPage calls read for each item of a page, with the part of the key that names the item. Pages work as in the SDK: by key or
// by offset, at most limit items (default: 100), with a total only on request or if the request does not mention pages.
func readPage(
	store storetypes.KVStore, address vmtypes.AccountAddress, kept byte, page *query.PageRequest, read func(name, value []byte) error,
) (*query.PageResponse, error) {
	return query.Paginate(prefix.NewStore(store, stateKey(address, kept, nil)), page, read)
}
