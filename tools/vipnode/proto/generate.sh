#!/usr/bin/env bash
# Generates the Go files of every .proto file below this folder. See README.md for what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."

module=$(go list -m)
folder_of() { go list -m -f '{{.Dir}}' "$1"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

gateway=github.com/grpc-ecosystem/grpc-gateway
GOBIN="$work/bin" go install github.com/cosmos/gogoproto/protoc-gen-gocosmos
GOBIN="$work/bin" go install "$gateway/protoc-gen-grpc-gateway@$(go list -m -f '{{.Version}}' $gateway)"

sdk=$(folder_of github.com/cosmos/cosmos-sdk)
gogoproto=$(folder_of github.com/cosmos/gogoproto)
cosmosproto=$(folder_of github.com/cosmos/cosmos-proto)
googleapis=$(folder_of $gateway)/third_party/googleapis

any=Mgoogle/protobuf/any.proto=github.com/cosmos/gogoproto/types/any

# One run per folder, because a run may write one Go package only.
mkdir "$work/out"
find proto -name '*.proto' -printf '%h\n' | sort -u | while read -r folder; do
  PATH="$work/bin:$PATH" protoc \
    -I proto -I "$sdk/proto" -I "$gogoproto" -I "$gogoproto/protobuf" -I "$cosmosproto/proto" -I "$googleapis" \
    --gocosmos_out="plugins=grpc,$any:$work/out" \
    --grpc-gateway_out="logtostderr=true,allow_colon_final_segments=true,$any:$work/out" \
    "$folder"/*.proto
done

cp -R "$work/out/$module/." .
