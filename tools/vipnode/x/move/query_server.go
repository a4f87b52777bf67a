package move

import (
	"context"

	"cosmossdk.io/math"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/initia-labs/movevm/api"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// baseDenom is the denomination in the parameters of a real rollup's node. It is unused here.
const baseDenom = "uinit"

type queryServer struct{ keeper *Keeper }

// NewQueryServer answers queries. Errors keep the texts of the VM and the store.
func NewQueryServer(keeper *Keeper) types.QueryServer { return queryServer{keeper} }

func (s queryServer) Module(ctx context.Context, request *types.QueryModuleRequest) (response *types.QueryModuleResponse, err error) {
	err = guard(func() error {
		publisher, err := s.keeper.parseAddress(request.Address)
		if err != nil {
			return err
		}
		module, err := s.keeper.Module(sdk.UnwrapSDKContext(ctx), publisher, request.ModuleName)
		response = &types.QueryModuleResponse{Module: module}
		return err
	})
	return response, err
}

func (s queryServer) Modules(ctx context.Context, request *types.QueryModulesRequest) (response *types.QueryModulesResponse, err error) {
	err = guard(func() error {
		publisher, err := s.keeper.parseAddress(request.Address)
		if err != nil {
			return err
		}
		modules, page, err := s.keeper.Modules(sdk.UnwrapSDKContext(ctx), publisher, request.Pagination)
		response = &types.QueryModulesResponse{Modules: modules, Pagination: page}
		return err
	})
	return response, err
}

func (s queryServer) Resource(ctx context.Context, request *types.QueryResourceRequest) (response *types.QueryResourceResponse, err error) {
	err = guard(func() error {
		holder, err := s.keeper.parseAddress(request.Address)
		if err != nil {
			return err
		}
		tag, err := parseStruct(request.StructTag)
		if err != nil {
			return err
		}
		resource, err := s.keeper.Resource(sdk.UnwrapSDKContext(ctx), holder, tag)
		response = &types.QueryResourceResponse{Resource: resource}
		return err
	})
	return response, err
}

func (s queryServer) Resources(ctx context.Context, request *types.QueryResourcesRequest) (response *types.QueryResourcesResponse, err error) {
	err = guard(func() error {
		holder, err := s.keeper.parseAddress(request.Address)
		if err != nil {
			return err
		}
		resources, page, err := s.keeper.Resources(sdk.UnwrapSDKContext(ctx), holder, request.Pagination)
		response = &types.QueryResourcesResponse{Resources: resources, Pagination: page}
		return err
	})
	return response, err
}

func (s queryServer) TableInfo(ctx context.Context, request *types.QueryTableInfoRequest) (response *types.QueryTableInfoResponse, err error) {
	err = guard(func() error {
		handle, err := s.keeper.parseAddress(request.Address)
		if err != nil {
			return err
		}
		info, err := s.keeper.TableInfo(sdk.UnwrapSDKContext(ctx), handle)
		response = &types.QueryTableInfoResponse{TableInfo: info}
		return err
	})
	return response, err
}

func (s queryServer) TableEntry(ctx context.Context, request *types.QueryTableEntryRequest) (response *types.QueryTableEntryResponse, err error) {
	err = guard(func() error {
		handle, err := s.keeper.parseAddress(request.Address)
		if err != nil {
			return err
		}
		entry, err := s.keeper.TableEntry(sdk.UnwrapSDKContext(ctx), handle, request.KeyBytes)
		response = &types.QueryTableEntryResponse{TableEntry: entry}
		return err
	})
	return response, err
}

func (s queryServer) TableEntries(ctx context.Context, request *types.QueryTableEntriesRequest) (response *types.QueryTableEntriesResponse, err error) {
	err = guard(func() error {
		handle, err := s.keeper.parseAddress(request.Address)
		if err != nil {
			return err
		}
		entries, page, err := s.keeper.TableEntries(sdk.UnwrapSDKContext(ctx), handle, request.Pagination)
		response = &types.QueryTableEntriesResponse{TableEntries: entries, Pagination: page}
		return err
	})
	return response, err
}

func (s queryServer) ScriptABI(_ context.Context, request *types.QueryScriptABIRequest) (response *types.QueryScriptABIResponse, err error) {
	err = guard(func() error {
		abi, err := api.DecodeScriptBytes(request.CodeBytes)
		response = &types.QueryScriptABIResponse{Abi: abi}
		return err
	})
	return response, err
}

func (s queryServer) Params(context.Context, *types.QueryParamsRequest) (*types.QueryParamsResponse, error) {
	denom := baseDenom
	if s.keeper.coin != nil {
		denom = s.keeper.coin.denom
	}
	return &types.QueryParamsResponse{Params: types.Params{
		BaseDenom:                  denom,
		BaseMinGasPrice:            math.LegacyZeroDec(),
		ContractSharedRevenueRatio: math.LegacyZeroDec(),
		ScriptEnabled:              true,
		AllowedPublishers:          []string{},
	}}, nil
}
