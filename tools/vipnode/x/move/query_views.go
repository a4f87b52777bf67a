package move

import (
	"context"
	"fmt"

	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// largestBatch is the maximum number of views per request, a real node's default (initia-labs/initia, x/move/config).
const largestBatch = 10

func (s queryServer) LegacyView(ctx context.Context, request *types.QueryLegacyViewRequest) (*types.QueryLegacyViewResponse, error) {
	answer, err := s.view(ctx, request.Address, request.ModuleName, request.FunctionName, request.TypeArgs, request.Args, false)
	return &types.QueryLegacyViewResponse{Data: answer.Data, Events: answer.Events, GasUsed: answer.GasUsed}, err
}

func (s queryServer) View(ctx context.Context, request *types.QueryViewRequest) (*types.QueryViewResponse, error) {
	answer, err := s.view(ctx, request.Address, request.ModuleName, request.FunctionName, request.TypeArgs, request.Args, false)
	return &answer, err
}

func (s queryServer) ViewBatch(ctx context.Context, request *types.QueryViewBatchRequest) (*types.QueryViewBatchResponse, error) {
	if err := checkBatch(len(request.Requests)); err != nil {
		return nil, err
	}
	responses := make([]types.QueryViewResponse, len(request.Requests))
	for i := range request.Requests {
		answer, err := s.View(ctx, &request.Requests[i])
		if err != nil {
			return nil, err
		}
		responses[i] = *answer
	}
	return &types.QueryViewBatchResponse{Responses: responses}, nil
}

func (s queryServer) ViewJSON(ctx context.Context, request *types.QueryViewJSONRequest) (*types.QueryViewJSONResponse, error) {
	answer, err := s.view(ctx, request.Address, request.ModuleName, request.FunctionName, request.TypeArgs, textBytes(request.Args), true)
	return &types.QueryViewJSONResponse{Data: answer.Data, Events: answer.Events, GasUsed: answer.GasUsed}, err
}

func (s queryServer) ViewJSONBatch(ctx context.Context, request *types.QueryViewJSONBatchRequest) (*types.QueryViewJSONBatchResponse, error) {
	if err := checkBatch(len(request.Requests)); err != nil {
		return nil, err
	}
	responses := make([]types.QueryViewJSONResponse, len(request.Requests))
	for i := range request.Requests {
		answer, err := s.ViewJSON(ctx, &request.Requests[i])
		if err != nil {
			return nil, err
		}
		responses[i] = *answer
	}
	return &types.QueryViewJSONBatchResponse{Responses: responses}, nil
}

func checkBatch(size int) error {
	if size > largestBatch {
		return fmt.Errorf("%d views in one batch: at most %d are allowed", size, largestBatch)
	}
	return nil
}

func (s queryServer) view(
	ctx context.Context, address, module, function string, typeTexts []string, arguments [][]byte, asJSON bool,
) (answer types.QueryViewResponse, err error) {
	err = guard(func() error {
		call, err := s.keeper.newCall(address, module, function, typeTexts, arguments, asJSON)
		if err != nil {
			return err
		}
		output, used, err := s.keeper.View(sdk.UnwrapSDKContext(ctx), call)
		if err != nil {
			return err
		}
		answer = types.QueryViewResponse{Data: output.Ret, Events: make([]types.VMEvent, len(output.Events)), GasUsed: used}
		for i, event := range output.Events {
			answer.Events[i] = types.VMEvent{TypeTag: event.TypeTag, Data: event.EventData}
		}
		return nil
	})
	return answer, err
}
