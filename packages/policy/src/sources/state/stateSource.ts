import { VipError, type Account, type InputError } from "@vipscore/core";
import type { BlockRange, ChainSource, SourcePart } from "../../chain/chainSource.ts";
import { endpointOf, readBlockHead, readHeight, type RollupNode } from "../../chain/rollupNode.ts";
import { policyInvalid, sourceInvalid } from "../../policyError.ts";
import { isInIntegerRange, type SourceRow } from "../policySource.ts";
import type { AccountsField } from "../readCsv.ts";

/** An integer that each account has, and how to read it. */
export interface AccountValues {
  /** The name of the integer's column. */
  readonly column: string;
  /** The data that is read, without the accounts; see `ChainSource.identity`. */
  readonly identity: Readonly<Record<string, unknown>>;
  /**
   * Reads the integers of some accounts after a block, in the order of the accounts.
   *
   * @throws NodeError, PrunedState among them; VipError `SOURCE_INVALID`.
   */
  readonly read: (accounts: readonly Account[], height: number, signal: AbortSignal) => Promise<readonly bigint[]>;
}

/** Accounts that are read at a time. */
const batchAccounts = 500;

/** Makes a source of what accounts have after the last block of the range; the range is that block. */
export function stateSource(
  { name, kind, accounts, accountsSha256 }: AccountsField & { readonly name: string; readonly kind: string },
  { column, identity, read }: AccountValues,
  node: RollupNode,
): ChainSource {
  return {
    name,
    kind,
    columns: [
      { name: "address", type: "address" },
      { name: column, type: "integer" },
    ],
    identity: JSON.stringify({ kind, ...identity, accounts: accountsSha256 }),
    async *read({ last }: BlockRange, signal: AbortSignal): AsyncGenerator<SourcePart, void, undefined> {
      await requireCommitted(node, last, signal);
      const { hash: lastHash } = await readBlockHead(node, last, signal);
      const rows: SourceRow[] = [];
      for (let start = 0; start < accounts.length; start += batchAccounts) {
        const batch = accounts.slice(start, start + batchAccounts);
        const values = await read(batch, last, signal);
        for (const [index, account] of batch.entries()) {
          const value = values[index] ?? 0n;
          if (!isInIntegerRange(value)) {
            throw sourceInvalid(`${name}: ${column} of ${account} in block ${last} is ${value}, beyond 38 digits`);
          }
          rows.push([account, value]);
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

/** Creates the error for a source whose fields are those of another VM. */
export function fieldsOfOtherVm({ name }: { readonly name: string }, { vm }: RollupNode): InputError {
  return policyInvalid(
    `policy.toml: source ${name}`,
    `does not have the fields of its kind on a rollup with the ${vm} VM`,
  );
}
