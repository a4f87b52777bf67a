import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll } from "vitest";
import type { Vm } from "@vipscore/core";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { serveBridgeInfo, testAccounts } from "@vipscore/localnet";
import { passOn, script, type ScriptedAnswer, type SeenRequest } from "@vipscore/testkit/scriptedServer";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { csvOf, openTestFolder, startNode, type TestFolder } from "../test/harness.ts";
import { useRollup, type LocalL1 } from "../test/localL1.ts";
import { broadcastFile } from "../test/proposalL1.ts";

const { deployer, operator } = testAccounts;
export const bridgeId = 5n;
const firstStage = 3;

/** How the L1 of a VM calls it, and the options of a deployment after which nobody can replace the code. */
const ofVm = {
  evm: { type: 2n, sealed: [] },
  move: { type: 0n, sealed: ["--upgrade-policy", "immutable"] },
  wasm: { type: 1n, sealed: ["--admin", "none"] },
} as const;

type Answers = (request: SeenRequest) => Promise<ScriptedAnswer>;

/** An endpoint of a node, whose answers a drill replaces for a while. */
export interface Endpoint {
  readonly url: string;
  answer: Answers;
  /** Those of the node. */
  readonly own: Answers;
}

async function openEndpoint(own: Answers): Promise<Endpoint> {
  const endpoint = { url: "", answer: own, own };
  endpoint.url = (await script((request) => endpoint.answer(request))).url;
  return endpoint;
}

/** A rollup with a stage and a registration in which a guard finds nothing, and what can happen to it. */
export interface DrilledRollup {
  readonly l1: LocalL1;
  readonly folder: TestFolder;
  readonly contract: string;
  /** The chain's ID, as its endpoint spells it. */
  readonly chainId: string;
  /** What the guard asks for the rollup, for the same from another node, and for L1. */
  readonly rollup: Endpoint;
  readonly second: Endpoint;
  readonly ofL1: Endpoint;
  /** The endpoint of another chain with the same ID, and at the same address a contract with other scores. */
  readonly otherUrl: string;
  /** The guard's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The open stage. */
  stage: number;
  /** Stage, root and total of the snapshot that was submitted last. */
  snapshot: readonly [bigint, string, bigint];
  /** The version that the rollup's node says it has. */
  nodeVersion: string;
  readonly installMinitiad: (version: string) => Promise<void>;
}

/** Starts such a rollup, its L1 and the other chain for the tests of a suite; the result has no properties before they run. */
export function useDrilledRollup(vm: Vm): DrilledRollup {
  const drilled = {} as DrilledRollup;
  const { type, sealed } = ofVm[vm];
  const deploy = (folder: TestFolder): Promise<string> =>
    folder.deploy(firstStage, ["--finalizer", deployer.address, ...sealed]);
  // Before the rollup, so that it has the heights that the rollup has.
  const other = started(async () => {
    const node = await startNode(vm);
    Object.assign(drilled, { otherUrl: node.rpcUrl });
    return openTestFolder(node);
  });
  beforeAll(async () => {
    await deploy(other);
    await other.write("scores.csv", csvOf(3, 7000));
    await other.ok(["push", "scores.csv", "--stage", `${firstStage}`]);
  });
  const rollup = vm === "evm" ? { vm } : { vm, bridge: { id: bridgeId } };
  useRollup(rollup, async (l1, folder) => {
    const contract = await deploy(folder);
    await l1.register(bridgeId, contract, type);
    Object.assign(drilled, { l1, folder, contract, stage: firstStage });
    await l1.call("advance_stage");
    await l1.call("advance_stage");
    // Of a contract before this one.
    await l1.submit(bridgeId, 2n, "ab".repeat(32), 7n);
    await claim(drilled);
    await push(drilled, 1000);
    const guard = { maxTotalChange: "5000" };
    await folder.write("vipscore.config.json", JSON.stringify({ vm, guard }));
    await addEndpoints(drilled, vm);
  });
  return drilled;
}

/** Opens the endpoints that the guard uses, and puts a `minitiad` on its PATH. */
async function addEndpoints(drilled: DrilledRollup, vm: Vm): Promise<void> {
  const { l1, folder } = drilled;
  const node = await readNodeFile(folder.cwd);
  const { chainId = "", rpcUrl = "", restUrl = (await serveBridgeInfo({ id: bridgeId })).url } = node ?? {};
  const rollup = await openEndpoint(async (request) => {
    if (request.path !== "/abci_info") return passOn(rpcUrl, request);
    const response = { data: "minitia", version: drilled.nodeVersion, last_block_height: "1" };
    return { body: JSON.stringify({ jsonrpc: "2.0", id: -1, result: { response } }) };
  });
  const second = await openEndpoint((request) => passOn(rpcUrl, request));
  const ofL1 = await openEndpoint((request) => passOn(l1.endpoint.restUrl, request));
  const programs = temporaryFolder();
  const installMinitiad = (version: string): Promise<void> =>
    writeFile(join(programs, "minitiad"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  await installMinitiad("v1.2.0");
  const env = {
    JSON_RPC_URL: rollup.url,
    RPC_NODE_URL: rollup.url,
    CHAIN_ID: chainId,
    VIPSCORE_SECOND_ENDPOINT: second.url,
    L1_REST_URL: ofL1.url,
    VIP_ADDRESS: l1.endpoint.vipAddress,
    PATH: `${programs}:/usr/bin:/bin`,
    // The RPC of a local node does not name the bridge.
    ROLLUP_REST_URL: restUrl,
  };
  const shownId = vm === "evm" ? `0x${Number(chainId).toString(16)}` : chainId;
  Object.assign(drilled, { rollup, second, ofL1, env, installMinitiad, nodeVersion: "v1.2.0", chainId: shownId });
}

/** Scores the open stage; the total is about three times the score. */
export async function push(
  { folder, stage }: DrilledRollup,
  score: number,
  more: readonly string[] = [],
): Promise<void> {
  await folder.write("scores.csv", csvOf(3, score));
  await folder.ok(["push", "scores.csv", "--stage", `${stage}`, ...more]);
}

/** Finalizes the open stage with what was pushed last. */
export async function finalize(drilled: DrilledRollup): Promise<void> {
  await drilled.folder.ok(["finalize", "--stage", `${drilled.stage}`, "--file", "scores.csv", "--yes"]);
  drilled.stage += 1;
}

/** Submits the snapshot of the newest finalized stage, as VIP's agent does. */
export async function submit(drilled: DrilledRollup): Promise<void> {
  const { l1, folder, stage } = drilled;
  const args = ["snapshot", "--stage", `${stage - 1}`, "--bridge-id", `${bridgeId}`];
  const { root, total } = await folder.ok(args);
  drilled.snapshot = [BigInt(stage - 1), root as string, BigInt(total as string)];
  await l1.submit(bridgeId, ...drilled.snapshot);
}

/** Claims what the operator can, as VIP's operators do after each snapshot. */
export async function claim({ l1, folder, stage }: DrilledRollup): Promise<void> {
  const out = `claim${stage}.json`;
  const args = ["operator", "claim", "--bridge-id", `${bridgeId}`, "--out", out, "--sign"];
  await folder.ok(args, { env: { MNEMONIC: operator.mnemonic } });
  const failure = await broadcastFile(l1, folder.cwd, out);
  if (failure !== "") throw new Error(failure);
}

/** Does all that a stage needs at its end, so that there is nothing to find. */
export async function endStage(drilled: DrilledRollup): Promise<void> {
  await drilled.l1.call("advance_stage");
  await finalize(drilled);
  await submit(drilled);
  await claim(drilled);
}
