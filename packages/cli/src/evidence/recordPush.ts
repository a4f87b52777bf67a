import type { ContractIdentity, PushEvent } from "@vipscore/core";
import type { StageManifest } from "./stageManifest.ts";

/**
 * Runs a push, and records the contract and the transactions in the manifest, if there is one. After a push that failed, the transactions that
 * reached a block are recorded too: the next one sends only the rest.
 *
 * @throws Errors of the push and of {@link StageManifest.record}.
 */
export async function recordPush<T>(
  manifest: StageManifest | undefined,
  contract: ContractIdentity,
  push: (onEvent: (event: PushEvent) => void) => Promise<T>,
): Promise<T> {
  const hashes: string[] = [];
  const record = async (): Promise<void> =>
    manifest?.record(contract, ({ transactions }) => ({ transactions: [...new Set([...transactions, ...hashes])] }));
  let result: T;
  try {
    result = await push((event) => {
      if (event.type === "confirmed") hashes.push(event.hash);
    });
  } catch (error) {
    // The push's own error says more than one of the file.
    if (hashes.length > 0) await record().catch(() => undefined);
    throw error;
  }
  await record();
  return result;
}
