package move

import (
	"errors"
	"strings"

	"github.com/initia-labs/movevm/api"
	vmtypes "github.com/initia-labs/movevm/types"
)

// typeDepth is the maximum nesting of types. The VM reads at most 8 levels and ends the process if it gets more
// (move-core-types, MAX_TYPE_TAG_NESTING), so this is checked here.
const typeDepth = 8

// longestType is far longer than 8 levels of readable names.
const longestType = 64 << 10

var errTypeDepth = errors.New("type is nested too deeply")

// parseTypes reads type arguments such as "u64", "vector<address>" or "0x1::nft::Nft".
func parseTypes(texts []string) ([]vmtypes.TypeTag, error) {
	tags := make([]vmtypes.TypeTag, len(texts))
	for i, text := range texts {
		tag, err := parseType(text)
		if err != nil {
			return nil, err
		}
		tags[i] = tag
	}
	return tags, nil
}

func parseType(text string) (vmtypes.TypeTag, error) {
	tag, err := parseNestedType(text, typeDepth)
	if err != nil {
		return nil, err
	}
	if !shallow(tag, typeDepth) {
		return nil, errTypeDepth
	}
	return tag, nil
}

func parseNestedType(text string, levels int) (vmtypes.TypeTag, error) {
	if levels == 0 {
		return nil, errTypeDepth
	}
	switch text {
	case "bool":
		return &vmtypes.TypeTag__Bool{}, nil
	case "u8":
		return &vmtypes.TypeTag__U8{}, nil
	case "u16":
		return &vmtypes.TypeTag__U16{}, nil
	case "u32":
		return &vmtypes.TypeTag__U32{}, nil
	case "u64":
		return &vmtypes.TypeTag__U64{}, nil
	case "u128":
		return &vmtypes.TypeTag__U128{}, nil
	case "u256":
		return &vmtypes.TypeTag__U256{}, nil
	case "address":
		return &vmtypes.TypeTag__Address{}, nil
	case "signer":
		return &vmtypes.TypeTag__Signer{}, nil
	}
	if item, found := strings.CutPrefix(text, "vector<"); found && strings.HasSuffix(item, ">") {
		value, err := parseNestedType(strings.TrimSpace(item[:len(item)-1]), levels-1)
		if err != nil {
			return nil, err
		}
		return &vmtypes.TypeTag__Vector{Value: value}, nil
	}
	tag, err := parseStruct(text)
	if err != nil {
		return nil, err
	}
	return &vmtypes.TypeTag__Struct{Value: tag}, nil
}

// parseStruct parses the name of a struct, such as "0x1::coin::CoinStore", with the VM's error text if it is invalid.
func parseStruct(text string) (vmtypes.StructTag, error) {
	if len(text) > longestType {
		return vmtypes.StructTag{}, errTypeDepth
	}
	tag, err := api.ParseStructTag(text)
	if err != nil {
		return vmtypes.StructTag{}, err
	}
	if !shallow(&vmtypes.TypeTag__Struct{Value: tag}, typeDepth) {
		return vmtypes.StructTag{}, errTypeDepth
	}
	return tag, nil
}

// shallow reports whether a type has at most this many levels, itself included.
func shallow(tag vmtypes.TypeTag, levels int) bool {
	if levels == 0 {
		return false
	}
	switch tag := tag.(type) {
	case *vmtypes.TypeTag__Vector:
		return shallow(tag.Value, levels-1)
	case *vmtypes.TypeTag__Struct:
		for _, argument := range tag.Value.TypeArgs {
			if !shallow(argument, levels-1) {
				return false
			}
		}
		return true
	case *vmtypes.TypeTag__Function:
		return false
	default:
		return true
	}
}
