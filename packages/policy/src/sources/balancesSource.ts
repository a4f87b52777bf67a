import { QueryBalanceRequest, QueryBalanceResponse } from "cosmjs-types/cosmos/bank/v1beta1/query";
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem/utils";
import { queryStateAt, requestsAtOnce, type CometNode } from "@vipscore/blocks/cosmos";
import { readBalancesAt, readCallsAt } from "@vipscore/blocks/evm";
import { formatBech32, NodeError, VipError, type Account } from "@vipscore/core";
import { matching, object, optional, text, type Field } from "@vipscore/core/field";
import { inParallel, QueryError } from "@vipscore/core/wire";
import type { BlockRange, ChainSource, SourcePart } from "../chain/chainSource.ts";
import { endpointOf, readBlockHead, readHeight, type RollupNode } from "../chain/rollupNode.ts";
import type { AddFile } from "../files/policyFile.ts";
import { policyInvalid, sourceInvalid } from "../policyError.ts";
import { isInIntegerRange, type SourceColumn, type SourceRow } from "./policySource.ts";
import { readAccounts } from "./readCsv.ts";
import { contractAddress, sourceFields } from "./sourceFields.ts";

/** A source of kind `balances`: what accounts had after the window's last block. */
interface BalancesDefinition {
  readonly kind: "balances";
  readonly name: string;
  /** On EVM, the ERC-20 token in lower-case hex; undefined for the native token. */
  readonly token: `0x${string}` | undefined;
  /** The denomination; undefined on EVM. */
  readonly denom: string | undefined;
  /** In the file's order, each once. */
  readonly accounts: readonly Account[];
  /** SHA-256 of the accounts' file, in hex. */
  readonly accountsSha256: string;
  readonly columns: readonly SourceColumn[];
}

const columns = [
  { name: "address", type: "address" },
  { name: "amount", type: "integer" },
] as const satisfies readonly SourceColumn[];

const readFields = object({
  ...sourceFields,
  token: optional(contractAddress([20])),
  // The rule of the Cosmos SDK (types/coin.go).
  denom: optional(matching(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/, "a denomination")),
  accounts: text,
});

export async function readBalancesDefinition(source: Field, addFile: AddFile): Promise<BalancesDefinition> {
  const { name, token, denom, accounts: path } = readFields(source);
  if (token !== undefined && denom !== undefined) {
    source.at("denom").fail("is given together with token; a token is of EVM, a denom of Move and Wasm");
  }
  const file = await addFile(path, source.at("accounts").place);
  const accounts = await readAccounts(file);
  const seen = new Set<Account>();
  for (const account of accounts) {
    if (seen.has(account)) throw policyInvalid(file.name, `has ${account} twice; a join would count it twice`);
    seen.add(account);
  }
  return { kind: "balances", name, token, denom, accounts, accountsSha256: file.sha256, columns };
}
readBalancesDefinition.schema = readFields.schema;

/** Accounts that are read at a time. */
const batchAccounts = 500;

/** Opens a source of what accounts have after the last block of the range; the range is that block. */
export function balancesSource(definition: BalancesDefinition, node: RollupNode): ChainSource {
  const { name, kind, accounts, accountsSha256 } = definition;
  const { identity, read } = node.vm === "evm" ? evmBalances(definition, node) : cosmosBalances(definition, node);
  return {
    name,
    kind,
    columns,
    identity: JSON.stringify({ kind, ...identity, accounts: accountsSha256 }),
    async *read({ last }: BlockRange, signal: AbortSignal): AsyncGenerator<SourcePart, void, undefined> {
      await requireCommitted(node, last, signal);
      const { hash: lastHash } = await readBlockHead(node, last, signal);
      const rows: SourceRow[] = [];
      for (let start = 0; start < accounts.length; start += batchAccounts) {
        const batch = accounts.slice(start, start + batchAccounts);
        const amounts = await read(batch, last, signal);
        for (const [index, account] of batch.entries()) {
          const amount = amounts[index] ?? 0n;
          if (!isInIntegerRange(amount)) {
            throw sourceInvalid(`${name}: amount of ${account} in block ${last} is ${amount}, beyond 38 digits`);
          }
          rows.push([account, amount]);
        }
      }
      yield { first: last, last, lastHash, rows };
    },
  };
}

/**
 * minievm shows a block before it commits its state, and answers from the state before until then. Once there is a later block,
 * the state is that of the block; elsewhere a node refuses a state that it does not have yet.
 */
async function requireCommitted(node: RollupNode, height: number, signal: AbortSignal): Promise<void> {
  if (node.vm !== "evm" || (await readHeight(node, signal)) > height) return;
  throw new VipError(`block ${height} is the newest of ${endpointOf(node)}, whose state may still be that before`, {
    code: "WINDOW_OPEN",
    metaMessages: ["Try again once there is a later block."],
  });
}

/** How the amounts of accounts are read. */
interface Balances {
  /** What is read, without the accounts; see `ChainSource.identity`. */
  readonly identity: Readonly<Record<string, string>>;
  /** Reads the amounts of some accounts after a block, in the order of the accounts. */
  readonly read: (accounts: readonly Account[], height: number, signal: AbortSignal) => Promise<readonly bigint[]>;
}

const balanceOf = {
  abi: parseAbi(["function balanceOf(address account) view returns (uint256)"]),
  functionName: "balanceOf",
} as const;

/** The balances of accounts on EVM: of an ERC-20 token, or the native ones. */
function evmBalances(
  { name, token, denom, accounts }: BalancesDefinition,
  { rpc }: Extract<RollupNode, { readonly vm: "evm" }>,
): Balances {
  const place = `policy.toml: source ${name}`;
  if (denom !== undefined) throw policyInvalid(place, "has a denom, and the rollup has the evm VM; name a token");
  const long = accounts.find((account) => account.length !== 42);
  if (long !== undefined) throw policyInvalid(place, `asks for ${long}, which is not an account of an EVM rollup`);
  if (token === undefined) {
    return {
      identity: { token: "native" },
      read: (batch, height, signal) => readBalancesAt(rpc, batch, height, signal),
    };
  }
  const read: Balances["read"] = async (batch, height, signal) => {
    const calls = batch.map((account) => ({ to: token, data: encodeFunctionData({ ...balanceOf, args: [account] }) }));
    const answers = await readCallsAt(rpc, calls, height, signal);
    return answers.map((answer, index) => {
      const call = `${name}: balanceOf of ${token} for ${batch[index]} in block ${height}`;
      if (answer instanceof NodeError) {
        throw sourceInvalid(`${call} fails`, { metaMessages: [answer.shortMessage], cause: answer });
      }
      try {
        return decodeFunctionResult({ ...balanceOf, data: answer });
      } catch (cause) {
        throw sourceInvalid(`${call} does not return an integer`, { cause });
      }
    });
  };
  return { identity: { token }, read };
}

/** The balances of accounts on Move and Wasm, in a denomination. */
function cosmosBalances(
  { name, token, denom }: BalancesDefinition,
  { vm, comet }: Extract<RollupNode, { readonly comet: CometNode }>,
): Balances {
  if (denom === undefined || token !== undefined) {
    throw policyInvalid(`policy.toml: source ${name}`, `has no denom, and the rollup has the ${vm} VM`);
  }
  const readOne = async (account: Account, height: number, signal: AbortSignal): Promise<bigint> => {
    const place = `${name}: the balance in ${denom} for ${account} in block ${height}`;
    const query = {
      path: "/cosmos.bank.v1beta1.Query/Balance",
      request: QueryBalanceRequest.encode({ address: formatBech32(account), denom }).finish(),
      decode: (answer: Uint8Array) => QueryBalanceResponse.decode(answer).balance?.amount ?? "",
    };
    let amount: string;
    try {
      amount = await queryStateAt(comet, query, height, signal);
    } catch (error) {
      if (!(error instanceof QueryError) || error.isTransient) throw error;
      throw sourceInvalid(`${place} fails`, { metaMessages: [error.shortMessage], cause: error });
    }
    if (!/^\d{1,100}$/.test(amount)) throw sourceInvalid(`${place} is not an integer`);
    return BigInt(amount);
  };
  return {
    identity: { denom },
    read: (batch, height, signal) => inParallel(batch, requestsAtOnce, (account) => readOne(account, height, signal)),
  };
}
