package move

import (
	"errors"

	vmtypes "github.com/initia-labs/movevm/types"
)

// The VM's key layout: 32 bytes of address, one byte for the kind of entry, then its name (movevm,
// crates/types/src/access_path.rs).
const (
	keptModule     byte = 0
	keptResource   byte = 2
	keptTableEntry byte = 3
	keptTableInfo  byte = 4
)

func stateKey(address vmtypes.AccountAddress, kept byte, name []byte) []byte {
	key := make([]byte, 0, len(address)+1+len(name))
	key = append(key, address[:]...)
	key = append(key, kept)
	return append(key, name...)
}

func moduleKey(address vmtypes.AccountAddress, name string) ([]byte, error) {
	encoded, err := vmtypes.SerializeString(name)
	return stateKey(address, keptModule, encoded), err
}

func resourceKey(address vmtypes.AccountAddress, tag vmtypes.StructTag) ([]byte, error) {
	encoded, err := tag.BcsSerialize()
	return stateKey(address, keptResource, encoded), err
}

// tableHandle returns the address at the start of a table's resource.
func tableHandle(resource []byte) (handle vmtypes.AccountAddress, err error) {
	if len(resource) < len(handle) {
		return handle, errors.New("resource is too short for a table")
	}
	copy(handle[:], resource)
	return handle, nil
}
