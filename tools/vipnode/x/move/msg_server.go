package move

import (
	"context"

	errorsmod "cosmossdk.io/errors"
	sdk "github.com/cosmos/cosmos-sdk/types"
	sdkerrors "github.com/cosmos/cosmos-sdk/types/errors"
	govtypes "github.com/cosmos/cosmos-sdk/x/gov/types"
	vmtypes "github.com/initia-labs/movevm/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

type msgServer struct{ keeper *Keeper }

// NewMsgServer executes messages. It refuses the same messages as a real node, with the same texts.
func NewMsgServer(keeper *Keeper) types.MsgServer { return msgServer{keeper} }

func (s msgServer) Publish(ctx context.Context, message *types.MsgPublish) (*types.MsgPublishResponse, error) {
	publisher, err := s.keeper.parseSender(message.Sender)
	if err != nil {
		return nil, err
	}
	for _, code := range message.CodeBytes {
		if len(code) > largestModule {
			return nil, errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "module size over hard limit %d", largestModule)
		}
		if len(code) == 0 {
			return nil, errorsmod.Wrap(sdkerrors.ErrInvalidRequest, "empty module bytes")
		}
	}
	if message.UpgradePolicy == types.UpgradePolicyUnspecified {
		return nil, errorsmod.Wrap(sdkerrors.ErrInvalidRequest, "upgrade policy not specified")
	}
	err = s.keeper.Publish(sdk.UnwrapSDKContext(ctx), publisher, message.CodeBytes, message.UpgradePolicy)
	if err != nil {
		return nil, err
	}
	return &types.MsgPublishResponse{}, nil
}

func (s msgServer) Execute(ctx context.Context, message *types.MsgExecute) (*types.MsgExecuteResponse, error) {
	err := s.execute(ctx, message.Sender, func() (functionCall, error) {
		return s.keeper.newCall(message.ModuleAddress, message.ModuleName, message.FunctionName, message.TypeArgs, message.Args, false)
	})
	if err != nil {
		return nil, err
	}
	return &types.MsgExecuteResponse{}, nil
}

func (s msgServer) ExecuteJSON(ctx context.Context, message *types.MsgExecuteJSON) (*types.MsgExecuteJSONResponse, error) {
	err := s.execute(ctx, message.Sender, func() (functionCall, error) {
		return s.keeper.newCall(message.ModuleAddress, message.ModuleName, message.FunctionName, message.TypeArgs, textBytes(message.Args), true)
	})
	if err != nil {
		return nil, err
	}
	return &types.MsgExecuteJSONResponse{}, nil
}

// GovExecute runs an entry function as any sender, for governance only.
func (s msgServer) GovExecute(ctx context.Context, message *types.MsgGovExecute) (*types.MsgGovExecuteResponse, error) {
	if message.Authority != s.keeper.authority {
		return nil, errorsmod.Wrapf(govtypes.ErrInvalidSigner, "invalid authority; expected %s, got %s", s.keeper.authority, message.Authority)
	}
	err := s.execute(ctx, message.Sender, func() (functionCall, error) {
		return s.keeper.newCall(message.ModuleAddress, message.ModuleName, message.FunctionName, message.TypeArgs, message.Args, false)
	})
	if err != nil {
		return nil, err
	}
	return &types.MsgGovExecuteResponse{}, nil
}

func (s msgServer) Script(ctx context.Context, message *types.MsgScript) (*types.MsgScriptResponse, error) {
	if err := s.script(ctx, message.Sender, message.CodeBytes, message.TypeArgs, message.Args, false); err != nil {
		return nil, err
	}
	return &types.MsgScriptResponse{}, nil
}

func (s msgServer) ScriptJSON(ctx context.Context, message *types.MsgScriptJSON) (*types.MsgScriptJSONResponse, error) {
	if err := s.script(ctx, message.Sender, message.CodeBytes, message.TypeArgs, textBytes(message.Args), true); err != nil {
		return nil, err
	}
	return &types.MsgScriptJSONResponse{}, nil
}

func (s msgServer) execute(ctx context.Context, sender string, newCall func() (functionCall, error)) error {
	signer, err := s.keeper.parseSender(sender)
	if err != nil {
		return err
	}
	call, err := newCall()
	if err != nil {
		return err
	}
	return s.keeper.Execute(sdk.UnwrapSDKContext(ctx), signer, call)
}

func (s msgServer) script(ctx context.Context, sender string, code []byte, typeTexts []string, arguments [][]byte, asJSON bool) error {
	signer, err := s.keeper.parseSender(sender)
	if err != nil {
		return err
	}
	if len(code) == 0 {
		return errorsmod.Wrap(sdkerrors.ErrInvalidRequest, "empty code bytes")
	}
	if len(code) > largestModule {
		return errorsmod.Wrapf(sdkerrors.ErrInvalidRequest, "module size length over hard limit %d", largestModule)
	}
	tags, err := typeArguments(typeTexts)
	if err != nil {
		return err
	}
	return s.keeper.ExecuteScript(sdk.UnwrapSDKContext(ctx), signer, vmtypes.Script{
		Code: code, TyArgs: tags, Args: arguments, IsJson: asJSON,
	})
}
