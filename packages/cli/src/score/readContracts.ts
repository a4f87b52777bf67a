/** Accounts whose code is held at once: code has at most 24,576 bytes (EIP-170), two digits each; some chains allow more. */
const accountsAtOnce = 400;

/** What the code of an account begins with that lets a contract act for it and stays an account (EIP-7702). */
const delegation = /^0xef0100[0-9a-f]{40}$/i;

/** What {@link readContracts} needs. */
export interface ReadContractsParameters {
  /** JSON-RPC endpoint of the EVM rollup. */
  readonly rpcUrl: string;
  /** Accounts of 20 bytes. */
  readonly accounts: readonly `0x${string}`[];
  readonly signal: AbortSignal;
  readonly onProgress?: (checked: number) => void;
}

/**
 * Those of the accounts that are contracts: there is code at them which is not an EIP-7702 delegation. Asked in batches of 100,
 * four at a time; one by one where the endpoint refuses batches.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL; NodeError; the signal's reason when aborted.
 */
export async function readContracts(parameters: ReadContractsParameters): Promise<ReadonlySet<`0x${string}`>> {
  const { rpcUrl, accounts, signal, onProgress } = parameters;
  // The indexer's libraries take a third of a second, and few commands read contracts.
  const { openEvmRpc } = await import("@vipscore/indexer");
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
