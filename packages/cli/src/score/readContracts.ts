import { optionalPackage } from "../optionalPackage.ts";

/** Accounts whose code is in memory together: code has at most 24,576 bytes (EIP-170); some chains allow more. */
const accountsAtOnce = 400;

/** Code of an account that delegates to a contract and remains an account (EIP-7702). */
const delegation = /^0xef0100[0-9a-f]{40}$/i;

/** Parameters of {@link readContracts}. */
export interface ReadContractsParameters {
  /** JSON-RPC endpoint of the EVM rollup. */
  readonly rpcUrl: string;
  /** Accounts of 20 bytes. */
  readonly accounts: readonly `0x${string}`[];
  readonly signal: AbortSignal;
  readonly onProgress?: (checked: number) => void;
}

/**
 * Returns the accounts that are contracts: those with code that is not an EIP-7702 delegation. Requests code in batches of
 * 100, four at a time; one by one if the endpoint refuses batches.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL; NodeError; the signal's reason when aborted.
 */
export async function readContracts(parameters: ReadContractsParameters): Promise<ReadonlySet<`0x${string}`>> {
  const { rpcUrl, accounts, signal, onProgress } = parameters;
  // Few commands read contracts.
  const { openEvmRpc } = await optionalPackage("@vipscore/blocks/evm");
  const rpc = openEvmRpc(rpcUrl);
  const contracts = new Set<`0x${string}`>();
  for (let start = 0; start < accounts.length; start += accountsAtOnce) {
    const some = accounts.slice(start, start + accountsAtOnce);
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
