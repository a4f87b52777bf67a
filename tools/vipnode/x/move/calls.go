package move

import (
	errorsmod "cosmossdk.io/errors"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	vmtypes "github.com/initia-labs/movevm/types"
)

// functionCall is a checked call of an entry or a view function.
type functionCall struct {
	module    vmtypes.ModuleId
	function  vmtypes.Identifier
	types     []vmtypes.TypeTag
	arguments [][]byte
	// asJSON means that the arguments are JSON texts. Otherwise they are BCS.
	asJSON bool
}

// newCall checks a client's input. The VM checks the arguments themselves against the function's parameters.
func (k *Keeper) newCall(address, module, function string, typeTexts []string, arguments [][]byte, asJSON bool) (functionCall, error) {
	publisher, err := k.parseAddress(address)
	if err != nil {
		return functionCall{}, err
	}
	moduleName, err := identifier(module, "module")
	if err != nil {
		return functionCall{}, err
	}
	functionName, err := identifier(function, "function")
	if err != nil {
		return functionCall{}, err
	}
	tags, err := typeArguments(typeTexts)
	if err != nil {
		return functionCall{}, err
	}
	return functionCall{vmtypes.ModuleId{Address: publisher, Name: moduleName}, functionName, tags, arguments, asJSON}, nil
}

func typeArguments(texts []string) ([]vmtypes.TypeTag, error) {
	if len(texts) > mostTypeArguments {
		return nil, errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "number of type argument over hard limit %d", mostTypeArguments)
	}
	return parseTypes(texts)
}

// textBytes converts JSON texts to the bytes that the VM expects.
func textBytes(texts []string) [][]byte {
	list := make([][]byte, len(texts))
	for i, text := range texts {
		list[i] = []byte(text)
	}
	return list
}
