import type { AbiFunction } from "viem";
import { decodeFunctionResult, encodeFunctionData, parseAbiItem, toFunctionSignature } from "viem/utils";
import { readBalancesAt, readCallsAt, type EvmRpc } from "@vipscore/blocks/evm";
import { NodeError, type Account } from "@vipscore/core";
import { policyInvalid, sourceInvalid } from "../../policyError.ts";
import type { BalancesDefinition } from "./balancesDefinition.ts";
import type { AccountValues } from "./stateSource.ts";
import type { EvmView, ViewDefinition } from "./viewDefinition.ts";

const balanceOf = parseAbiItem("function balanceOf(address account) view returns (uint256)");

/** The balances of accounts on EVM: of an ERC-20 token, or the native ones. @throws InputError `POLICY_INVALID`. */
export function evmBalances(definition: BalancesDefinition, rpc: EvmRpc): AccountValues {
  const { name, token } = definition;
  requireShort(definition);
  return {
    column: "amount",
    identity: { token: token ?? "native" },
    read: (batch, height, signal) =>
      token === undefined
        ? readBalancesAt(rpc, batch, height, signal)
        : readViewAt(rpc, { name, contract: token, view: balanceOf, accounts: batch, height, signal }),
  };
}

/** The answers of an EVM contract for accounts. @throws InputError `POLICY_INVALID`. */
export function evmView(definition: ViewDefinition, { contract, function: view }: EvmView, rpc: EvmRpc): AccountValues {
  const { name } = definition;
  requireShort(definition);
  return {
    column: "value",
    identity: { contract, signature: toFunctionSignature(view), returns: view.outputs[0]?.type },
    read: (batch, height, signal) => readViewAt(rpc, { name, contract, view, accounts: batch, height, signal }),
  };
}

function requireShort({ name, accounts }: Pick<BalancesDefinition, "name" | "accounts">): void {
  const long = accounts.find((account) => account.length !== 42);
  if (long !== undefined) {
    throw policyInvalid(`policy.toml: source ${name}`, `asks for ${long}, which is not an account of an EVM rollup`);
  }
}

interface AskedView {
  readonly name: string;
  readonly contract: `0x${string}`;
  readonly view: AbiFunction;
  readonly accounts: readonly Account[];
  readonly height: number;
  readonly signal: AbortSignal;
}

async function readViewAt(rpc: EvmRpc, asked: AskedView): Promise<readonly bigint[]> {
  const { name, contract, view, accounts, height, signal } = asked;
  const abi = [view];
  const calls = accounts.map((account) => ({
    to: contract,
    data: encodeFunctionData({ abi, functionName: view.name, args: [account] }),
  }));
  const answers = await readCallsAt(rpc, calls, height, signal);
  return answers.map((answer, index) => {
    const place = `${name}: ${view.name} of ${contract} for ${accounts[index]} in block ${height}`;
    if (answer instanceof NodeError) {
      throw sourceInvalid(`${place} fails`, { metaMessages: [answer.shortMessage], cause: answer });
    }
    let value: unknown;
    try {
      value = decodeFunctionResult({ abi, functionName: view.name, data: answer });
    } catch (cause) {
      throw sourceInvalid(`${place} does not return an integer`, { cause });
    }
    // Small integers are numbers.
    return typeof value === "bigint" ? value : BigInt(Number(value));
  });
}
