import { BinaryReader } from "cosmjs-types/binary";
import { QueryAccountInfoRequest, QueryAccountInfoResponse } from "cosmjs-types/cosmos/auth/v1beta1/query";
import { QueryAllBalancesRequest, QueryAllBalancesResponse } from "cosmjs-types/cosmos/bank/v1beta1/query";
import { ConfigRequest, ConfigResponse } from "cosmjs-types/cosmos/base/node/v1beta1/query";
import { DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import {
  Answer,
  isMissingQuery,
  queryChain,
  QueryError,
  undefinedIf,
  type ChainQuery,
  type JsonRpc,
} from "@vipscore/core/wire";
import {
  highestGasPrice,
  parseGasPrices,
  readCoins,
  TransactionSigner,
  type AccountState,
  type Coin,
  type CosmosAccount,
  type GasPrice,
} from "@vipscore/cosmos";

/** Opens a signer for the account's transactions on the chain behind an RPC endpoint. */
export function wasmSigner(
  comet: JsonRpc,
  { chainId, account, gasPrice }: { chainId: string; account: CosmosAccount; gasPrice: GasPrice | undefined },
): TransactionSigner {
  const { address } = account;
  const chain = {
    readAccountState: (signal: AbortSignal | undefined) => readAccountState(comet, address, signal),
    readGasPrice: (signal: AbortSignal | undefined) => readGasPrice(comet, signal),
    readBalances: (signal: AbortSignal | undefined) => readBalances(comet, address, signal),
  };
  return new TransactionSigner({ chain, chainId, account, gasPrice });
}

/** Reads an account's number and sequence; both are 0 for an account unknown to the chain, which never received anything. */
async function readAccountState(
  comet: JsonRpc,
  address: string,
  signal: AbortSignal | undefined,
): Promise<AccountState> {
  const accountInfo = {
    path: "/cosmos.auth.v1beta1.Query/AccountInfo",
    request: QueryAccountInfoRequest.encode({ address }).finish(),
    decode: (value: Uint8Array): AccountState => {
      const { info } = QueryAccountInfoResponse.decode(value);
      return { accountNumber: info?.accountNumber ?? 0n, sequence: info?.sequence ?? 0n };
    },
  };
  const state = await undefinedIf(isUnknownAccount, queryChain(comet, accountInfo, { signal }));
  return state ?? { accountNumber: 0n, sequence: 0n };
}

function isUnknownAccount(error: unknown): boolean {
  return error instanceof QueryError && /account \S+ not found/.test(error.details ?? "");
}

/** The Cosmos SDK encodes decimals in protobuf as integers in units of 1 / this number (`math/dec.go`). */
const decimalUnit = 10n ** 18n;

/**
 * Reads the chain's minimum gas price: the higher of the node's and the rollup's if both use the same denomination;
 * undefined if neither requires a fee.
 */
export async function readGasPrice(comet: JsonRpc, signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
  const asked = await Promise.all([readNodePrices(comet, signal), readRollupPrices(comet, signal)]);
  return highestGasPrice(asked.flat());
}

/** The node's own minimum, `minimum-gas-prices` of its settings. */
function readNodePrices(comet: JsonRpc, signal: AbortSignal | undefined): Promise<readonly GasPrice[]> {
  const path = "/cosmos.base.node.v1beta1.Service/Config";
  const decode = (value: Uint8Array): readonly GasPrice[] => {
    const text = ConfigResponse.decode(value).minimumGasPrice;
    return (
      parseGasPrices(text) ?? decodedField(comet, path, "minimum_gas_price", text).unreadable("a list of gas prices")
    );
  };
  return queryPrices(comet, { path, request: ConfigRequest.encode({}).finish(), decode }, signal);
}

/** The rollup's minimum on every node, `min_gas_prices` of its parameters. */
function readRollupPrices(comet: JsonRpc, signal: AbortSignal | undefined): Promise<readonly GasPrice[]> {
  const path = "/opinit.opchild.v1.Query/Params";
  const decode = (value: Uint8Array): readonly GasPrice[] => {
    const prices = decodedField(comet, path, "min_gas_prices", decodeRollupPrices(value));
    return readCoins(prices.list()).map(({ denom, amount }) => ({ denom, amount, per: decimalUnit }));
  };
  return queryPrices(comet, { path, request: new Uint8Array(), decode }, signal);
}

/**
 * Decodes the prices in `QueryParamsResponse { Params params = 1 }`, `Params { repeated DecCoin min_gas_prices = 3 }`.
 * Source: opinit/opchild/v1/{query,types}.proto of OPinit; cosmjs-types does not include them.
 */
function decodeRollupPrices(bytes: Uint8Array): readonly DecCoin[] {
  return protoFieldsOf(bytes, 1).flatMap((params) => protoFieldsOf(params, 3).map((coin) => DecCoin.decode(coin)));
}

/** The values of a length-delimited field of a protobuf message. */
function protoFieldsOf(bytes: Uint8Array, field: number): readonly Uint8Array[] {
  const reader = new BinaryReader(bytes);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === field * 8 + 2) found.push(reader.bytes());
    else reader.skipType(tag & 7);
  }
  return found;
}

/** Queries the prices; none if the chain does not have the module. */
async function queryPrices(
  comet: JsonRpc,
  query: ChainQuery<readonly GasPrice[]>,
  signal: AbortSignal | undefined,
): Promise<readonly GasPrice[]> {
  return (await undefinedIf(isMissingQuery, queryChain(comet, query, { signal }))) ?? [];
}

/** Reads the account's balances. */
export function readBalances(
  comet: JsonRpc,
  address: string,
  signal: AbortSignal | undefined,
): Promise<readonly Coin[]> {
  const path = "/cosmos.bank.v1beta1.Query/AllBalances";
  const pagination = { key: new Uint8Array(), offset: 0n, limit: 1000n, countTotal: false, reverse: false };
  const request = QueryAllBalancesRequest.encode({ address, pagination, resolveDenom: false }).finish();
  const decode = (value: Uint8Array): readonly Coin[] =>
    readCoins(decodedField(comet, path, "balances", QueryAllBalancesResponse.decode(value).balances).list());
  return queryChain(comet, { path, request, decode }, { signal });
}

/** A field of a decoded answer. */
function decodedField({ endpoint }: JsonRpc, title: string, name: string, value: unknown): Answer {
  return new Answer({ endpoint, title }, value, undefined, name);
}
