import { openEvmRpc } from "@vipscore/blocks/evm";
import type { Vm } from "@vipscore/core";

/** Accounts whose code is in memory together: code has at most 24,576 bytes (EIP-170); some chains allow more. */
const accountsAtOnce = 400;

/** Length of `0x` and the digits of 32 bytes. */
const longLength = 66;

/** Code of an account that delegates to a contract and remains an account (EIP-7702). */
const delegation = /^0xef0100[0-9a-f]{40}$/i;

/**
 * Finds the accounts that are contracts. A 32-byte address is a contract on Wasm and an object on Move, where accounts have 20
 * bytes: no request is needed. On EVM all have 20 bytes, so this requests the code of each, in batches of 100, four at a time; one
 * by one if the endpoint refuses batches.
 *
 * @param rollup The VM, and its endpoint, on EVM for JSON-RPC.
 * @param options `onProgress` is called with the number of accounts whose code was read.
 * @throws InputError `CONFIG_INVALID` when the endpoint is not an http or https URL; NodeError; the signal's reason when aborted.
 */
export async function findContracts(
  { vm, url }: { readonly vm: Vm; readonly url: string },
  accounts: Iterable<`0x${string}`>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress?: (checked: number) => void },
): Promise<ReadonlySet<`0x${string}`>> {
  const all = [...accounts];
  const contracts = new Set(all.filter((account) => account.length === longLength));
  if (vm !== "evm") return contracts;
  const rpc = openEvmRpc(url);
  const short = all.filter((account) => !contracts.has(account));
  for (let start = 0; start < short.length; start += accountsAtOnce) {
    const some = short.slice(start, start + accountsAtOnce);
    const calls = some.map((account) => ({ method: "eth_getCode", params: [account, "latest"] }));
    const codes = await rpc.readAll(calls, (answer) => answer.hex(), signal);
    for (const [index, account] of some.entries()) {
      const code = codes[index];
      if (code instanceof Error) throw code;
      if (code !== undefined && code !== "0x" && !delegation.test(code)) contracts.add(account);
    }
    onProgress?.(start + some.length);
  }
  return contracts;
}
