import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatBech32, parseAccount } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { proposalOutcome, type ProposalOutcome } from "@vipscore/testkit/callL1";
import { until } from "@vipscore/testkit/until";
import type { JsonObject } from "./harness.ts";

/** The bech32 addresses of the test accounts. */
export const addresses = {
  deployer: bech32Of(testAccounts.deployer.address),
  operator: bech32Of(testAccounts.operator.address),
};

function bech32Of(address: string): string {
  return formatBech32(parseAccount(address, { accountBytes: [20] }));
}

interface OfL1 {
  readonly endpoint: { readonly restUrl: string };
}

async function post(l1: OfL1, path: string, body: object): Promise<JsonObject> {
  const response = await fetch(`${l1.endpoint.restUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as JsonObject;
}

async function get(l1: OfL1, path: string): Promise<JsonObject | undefined> {
  const response = await fetch(`${l1.endpoint.restUrl}${path}`);
  return response.ok ? ((await response.json()) as JsonObject) : undefined;
}

/** What a chain says of a transaction: the error, empty for none. */
interface SentFile {
  readonly code: number;
  readonly raw_log: string;
  readonly txhash: string;
  readonly gas_used: string;
}

/** Sends a file as `initiad tx broadcast` does: the node itself reads the JSON and encodes it. */
export async function sendFile(l1: OfL1, cwd: string, name: string): Promise<SentFile> {
  const tx: unknown = JSON.parse(await readFile(join(cwd, name), "utf8"));
  const { tx_bytes } = await post(l1, "/cosmos/tx/v1beta1/encode", { tx });
  const sent = await post(l1, "/cosmos/tx/v1beta1/txs", { tx_bytes, mode: "BROADCAST_MODE_SYNC" });
  const checked = sent["tx_response"] as unknown as SentFile;
  if (checked.code !== 0) return checked;
  const found = await until(`transaction ${checked.txhash}`, () => get(l1, `/cosmos/tx/v1beta1/txs/${checked.txhash}`));
  return found["tx_response"] as unknown as SentFile;
}

/** Sends a file. Returns the chain's error, empty if it accepted the file. */
export async function broadcastFile(l1: OfL1, cwd: string, name: string): Promise<string> {
  return (await sendFile(l1, cwd, name)).raw_log;
}

/** Waits until L1 has counted the votes for a proposal. */
export function outcomeOf({ endpoint }: OfL1, id: number): Promise<ProposalOutcome> {
  return proposalOutcome(endpoint.restUrl, id);
}

/** The sequences of all test accounts on L1: how many transactions they have sent. */
export async function sequencesOn(l1: OfL1): Promise<readonly unknown[]> {
  const path = "/cosmos/auth/v1beta1/account_info/";
  return Promise.all(Object.values(addresses).map(async (address) => get(l1, `${path}${address}`)));
}
