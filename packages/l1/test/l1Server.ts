import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the server received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void;

/** A server on 127.0.0.1 that answers the n-th request with the n-th answer, and the rest with the last one. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

export async function serve(...answers: readonly Answer[]): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const request = { method: incoming.method ?? "", path: incoming.url ?? "", headers: incoming.headers };
    requests.push(request);
    answers[Math.min(requests.length, answers.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer in JSON. */
export const json =
  (value: unknown, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

/** An answer of any text. */
export const text =
  (value: string, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status).end(value);

/** A Cosmos node's error, with the recorded status. */
export const refusal = (code: number, message: string, status = 500): Answer =>
  json({ code, message, details: [] }, status);

/** For a missing resource or row of a table, as recorded from a minimove and from a node of L1 v1.4.6. */
export const absent = refusal(2, "collections: not found: key 'hexBytes:00' of type bytes");

/** The newest block, with the fields that are read, as `blocks/latest` was recorded from a minimove. */
export function block(header: object = {}): Answer {
  const time = "2026-11-21T06:06:15.640122012Z";
  return json({ block: { header: { chain_id: "interwoven-1", height: "5365", time, ...header } } });
}

/** The fields of ModuleStore in L1's order, with times around that of {@link block}. */
export const moduleStore: Readonly<Record<string, unknown>> = {
  stage: "12",
  stage_start_time: "1794916800",
  stage_end_time: "1796126400",
  stage_interval: "1209600",
  vesting_period: "26",
  minimum_lock_staking_period: "15724800",
  challenge_period: "86400",
  agent_data: { agent: "0x1", api_uri: "" },
  minimum_score_ratio: "0.5",
  pool_split_ratio: "0.2",
  maximum_tvl_ratio: "1",
  minimum_eligible_tvl: "0",
  maximum_weight_ratio: "1",
  stage_data: { handle: "0xc1", length: "0" },
  bridges: { handle: "0xc2", length: "0" },
  challenges: { handle: "0xc3", length: "0" },
};

/** The resource as a node returns it: an object whose `move_resource` is JSON text. */
export function resource(fields: Readonly<Record<string, unknown>> = {}): Answer {
  const type = "0x3a886b32a802582f2e446e74d4a24d1d7ed01adf46d2a8f65c5723887e708789::vip::ModuleStore";
  const move_resource = JSON.stringify({ type, data: { ...moduleStore, ...fields } });
  return json({ resource: { address: type.split("::")[0], struct_tag: type, move_resource, raw_bytes: "" } });
}

/** The fields of a bridge in the table `bridges`. */
export const bridgeEntry: Readonly<Record<string, unknown>> = {
  init_stage: "13",
  end_stage: "0",
  bridge_addr: "0xb1",
  operator_addr: "0x8cad25ec80a10522c258e2f59abf0006c9445d1b",
  vip_l2_score_contract: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  vip_weight: "0.25",
  vm_type: "2",
};

/** The fields of a stage's data. */
export const stageEntry: Readonly<Record<string, unknown>> = {
  stage_start_time: "1794916800",
  stage_end_time: "1796126400",
  pool_split_ratio: "0.2",
  total_operator_funded_reward: "0",
  operator_funded_rewards: { handle: "0xd1", length: "0" },
  total_user_funded_reward: "0",
  user_funded_rewards: { handle: "0xd2", length: "0" },
  vesting_period: "26",
  minimum_score_ratio: "0.5",
  snapshots: { handle: "0xd3", length: "1" },
};

/** The fields of a snapshot. */
export const snapshotEntry: Readonly<Record<string, unknown>> = {
  create_time: "1796127000",
  upsert_time: "1796128000",
  merkle_root: "0xda8a26abe037981b46c77de776621601ea78ae2e9e4d095f4f6887d7b8fb4229",
  total_l2_score: "1000",
};

/** A table's entry, whose value is JSON text. */
export const tableEntry = (value: unknown): Answer => json({ table_entry: { value: JSON.stringify(value) } });

/** An entry of the table `bridges`; its key in hex. */
export interface BridgeRow {
  readonly key: string;
  readonly value: object;
}

/** A page of the table `bridges`. */
export const bridgesPage = (rows: readonly BridgeRow[], nextKey: string | null = null): Answer =>
  json({
    table_entries: rows.map(({ key, value }) => ({
      key_bytes: Buffer.from(key, "hex").toString("base64"),
      value: JSON.stringify(value),
    })),
    pagination: { next_key: nextKey, total: "0" },
  });

/** The key of a bridge in the table `bridges`, in hex. */
export function bridgeKey(isRegistered: boolean, bridgeId: bigint, version: bigint): string {
  const numbers = [bridgeId, version].map((value) => `08${value.toString(16).padStart(16, "0")}`);
  return `${isRegistered ? "01" : "00"}${numbers.join("")}`;
}
