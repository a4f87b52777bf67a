import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPolicyChain, openRollupNode, openSources, readPolicy, runPolicy } from "@vipscore/policy";
import { diskUse } from "@vipscore/testkit/diskUse";
import { playedChainId, playedContract, playedEvent } from "@vipscore/testkit/playedLogs";
import { playedMoveType, playedVmChainId, playedWasmContract } from "@vipscore/testkit/playedVmEvents";

/** Cost of running a policy over all events. */
export interface PolicyReaderResult {
  /** The first run: events are read from the node and stored. */
  readonly collectSeconds: number;
  /** The second run: they are read from the disk. Both include both runs of the query. */
  readonly storedSeconds: number;
  /** CPU time of this process alone. */
  readonly cpuSeconds: number;
  /** In bytes. */
  readonly peakRss: number;
  readonly events: number;
  readonly accounts: number;
  /** Size of the stored events, in bytes. */
  readonly diskBytes: number;
  /** Digest of the scores. */
  readonly sha256: string;
}

const columns = `columns = { trader = "address", volume = "integer" }`;
/** The source of each VM, with the columns `trader` and `volume`. */
const sourceFields = {
  evm: `kind = "evm_events"
contracts = ["${playedContract}"]
event = "${playedEvent.replace("sender", "trader").replace("value", "volume")}"`,
  move: `kind = "move_events"\ntype = "${playedMoveType}"\n${columns}`,
  wasm: `kind = "wasm_events"\ncontracts = ["${playedWasmContract}"]\n${columns}`,
} as const;

const toml = (vm: keyof typeof sourceFields, last: number): string => `name = "trades"
version = "1"

[rollup]
chain_id = "${vm === "evm" ? playedChainId : playedVmChainId}"

[window]
blocks = [1, ${last}]

[[source]]
name = "trades"
${sourceFields[vm]}
`;

/** A separate process that runs a policy twice: `policyReader <vm> <url> <last block>`. Sends a {@link PolicyReaderResult}. */
const [, , name, url = "", last] = process.argv;
const vm = name === "move" || name === "wasm" ? name : "evm";
const folder = await mkdtemp(join(tmpdir(), "vipscore-bench-"));
try {
  await writeFile(join(folder, "policy.toml"), toml(vm, Number(last)));
  await writeFile(
    join(folder, "policy.sql"),
    "select trader as address, sum(least(volume, 1000000)) as score from trades group by trader",
  );
  const data = join(folder, "data");
  const { signal } = new AbortController();
  const run = async () => {
    const started = performance.now();
    const policy = await readPolicy(folder);
    const chain = await openPolicyChain(policy, { node: openRollupNode(vm, url), folder: data, signal });
    const { table, sources } = await runPolicy(policy, openSources(policy, chain), { signal });
    const seconds = (performance.now() - started) / 1_000;
    return { seconds, events: sources[0]?.rows ?? 0, accounts: table.size, sha256: table.digest() };
  };
  const { seconds: collectSeconds, ...first } = await run();
  const { seconds: storedSeconds, ...second } = await run();
  if (first.sha256 !== second.sha256) throw new Error("the second run gives other scores");
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const result: PolicyReaderResult = {
    collectSeconds,
    storedSeconds,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
    peakRss: maxRSS * 1024,
    ...first,
    diskBytes: await diskUse(data),
  };
  process.send?.(result, () => process.disconnect());
} finally {
  await rm(folder, { recursive: true, force: true });
}
