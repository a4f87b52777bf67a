import { createServer } from "node:net";
import { privateKeyToAccount } from "viem/accounts";
import { testAccounts } from "@vipscore/core/testAccounts";

export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Calls a node over HTTP; throws an error answer unchanged. */
export function connect(url: string): Rpc {
  return async (method, params = []) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const body = (await response.json()) as { result?: unknown; error?: unknown };
    if (body.error !== undefined) throw body.error;
    return body.result;
  };
}

/** Signs a transfer of 1 wei from the deployer to the operator, changed by `overrides`. */
export function signTransfer(
  nonce: number,
  overrides: { gas?: bigint; fee?: bigint; to?: `0x${string}` | null; data?: `0x${string}` } = {},
) {
  const { gas = 100_000n, fee = 10n ** 10n, to = testAccounts.operator.address, data = "0x" } = overrides;
  return privateKeyToAccount(testAccounts.deployer.privateKey).signTransaction({
    type: "eip1559",
    chainId: 31_337,
    nonce,
    gas,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: 0n,
    to,
    data,
    value: to === testAccounts.operator.address ? 1n : 0n,
  });
}

/** Fails unless a server can listen on the port of `url`. */
export async function expectPortFree(url: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(Number(new URL(url).port), "127.0.0.1", () => probe.close(() => resolve()));
  });
}
