import { join, resolve } from "node:path";
import { InputError, type Stage, type Vm } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { IndexerSource } from "@vipscore/indexer";
import { readVipStageTimes } from "@vipscore/l1";
import type {
  CollectProgress,
  OpenNftOwners,
  Policy,
  PolicyChain,
  PolicySource,
  PolicyWindow,
  RunPolicyOptions,
} from "@vipscore/policy";
import type { Context } from "../../context.ts";
import type { Io } from "../../io.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import type { Protocol } from "../../rollup/rollup.ts";
import { rollups } from "../../rollup/rollups.ts";
import { readSettings, vipOptions, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { sourceAt } from "../indexer/run.ts";

export interface PolicyFlags extends ConnectionFlags {
  readonly memory?: number;
  readonly spill?: string;
}

export function runOptions({ cwd, signal }: Io, { memory, spill }: PolicyFlags): RunPolicyOptions {
  return {
    signal,
    ...(memory === undefined ? {} : { memoryMiB: memory }),
    ...(spill === undefined ? {} : { spill: resolve(cwd, spill) }),
  };
}

export const dataFolder = join(".vipscore", "data");

export interface PolicySources {
  readonly sources: readonly PolicySource[];
  /** Undefined if no source reads the rollup. */
  readonly chain: PolicyChain | undefined;
  readonly rollup: { readonly vm: Vm; readonly url: string } | undefined;
}

/** Opens the sources of a policy. Settings are only read if a source reads the rollup. */
export async function openPolicySources(
  context: Context,
  policy: Policy,
  { stage, folder, flags }: { readonly stage: Stage; readonly folder: string; readonly flags: PolicyFlags },
): Promise<PolicySources> {
  const { io, output } = context;
  const { isOfChain, openPolicyChain, openRollupNode, openSources } = await optionalPackage("@vipscore/policy");
  if (!policy.sources.some(isOfChain)) return { sources: openSources(policy), chain: undefined, rollup: undefined };
  const settings = await readSettings(context, flags);
  const { vm } = settings;
  const { url, protocol } = blocksEndpoint(context, settings);
  const progressText = collectProgressText();
  const chain = await openPolicyChain(policy, {
    node: openRollupNode(vm, url),
    openNftOwners: await loadNftOwners(policy, sourceAt(url, protocol)),
    folder: join(io.cwd, folder),
    stageWindow: policy.window === undefined ? await readStageWindow(context, settings, stage) : undefined,
    onProgress: (progress) => output.showTransient(progressText(progress)),
    signal: io.signal,
  });
  return { sources: openSources(policy, chain), chain, rollup: { vm, url: settings.endpoint.value } };
}

export async function openPolicy(context: Context, folder: string, flags: PolicyFlags & { readonly stage: Stage }) {
  const { readPolicy } = await optionalPackage("@vipscore/policy");
  const policy = await readPolicy(resolve(context.io.cwd, folder), { signal: context.signal });
  context.output.warnAll(policy.warnings);
  const opened = await openPolicySources(context, policy, { stage: flags.stage, folder: dataFolder, flags });
  const { name, version, chainId, digest: sha256 } = policy;
  return { policy, ...opened, policyJson: { name, version, chainId, sha256 } };
}

/** The indexer with its databases is only loaded for a policy that counts NFTs. */
async function loadNftOwners({ sources }: Policy, source: IndexerSource): Promise<OpenNftOwners | undefined> {
  if (!sources.some(({ needs }) => needs.includes("nftOwners"))) return undefined;
  const { openNftOwners } = await optionalPackage("@vipscore/indexer");
  return (collections) => openNftOwners(source, collections);
}

/** The endpoint that serves blocks: on Move not that of REST. */
function blocksEndpoint(
  { scrubber }: Context,
  { vm, endpoint, protocol, rpcUrl }: Settings,
): { readonly url: string; readonly protocol: Protocol } {
  const [needed] = rollups[vm].protocols;
  const url = protocol === needed ? endpoint.value : rpcUrl;
  if (url === undefined) {
    throw new InputError(`a policy reads the blocks of ${rollups[vm].aRollup} from its CometBFT RPC`, {
      code: "CONFIG_INVALID",
      metaMessages: [`Name that endpoint in place of the ${protocol} endpoint: it serves all else too.`],
    });
  }
  scrubber.addUrl(url);
  return { url, protocol: needed };
}

async function readStageWindow(
  { io, scrubber }: Context,
  { l1 }: Settings,
  stage: Stage,
): Promise<PolicyWindow | undefined> {
  if (l1 === undefined) return undefined;
  scrubber.addUrl(l1.restUrl.value);
  const times = await readVipStageTimes({ ...vipOptions(l1, io.signal), stage });
  if (times === undefined) {
    throw new InputError(`L1 does not know when stage ${stage} starts and ends`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Check --stage, or add blocks or times under [window] of policy.toml."],
    });
  }
  const [start, end] = [times.startsAt, times.endsAt].map((time) => time.getTime() / 1000);
  return { times: { start: start ?? 0, end: end ?? 0 } };
}

/**
 * Returns a function that describes how far a source is read; from its second report on, also the rows a second and the time
 * that is left.
 */
export function collectProgressText(
  now: () => number = () => performance.now(),
): (progress: CollectProgress) => string {
  /** The source's first report, and when it came. */
  let start:
    { readonly source: string; readonly height: number; readonly rows: number; readonly at: number } | undefined;
  return ({ source, height, last, rows }) => {
    const at = now();
    if (start?.source !== source) start = { source, height, rows, at };
    const line = `${source}  block ${group(height)} of ${group(last)}, ${count(rows, "row")}`;
    const [seconds, blocks] = [(at - start.at) / 1000, height - start.height];
    if (seconds <= 0 || blocks <= 0) return line;
    const rate = group(Math.round((rows - start.rows) / seconds));
    return `${line}   ${rate}/s   ${group(Math.ceil(((last - height) * seconds) / blocks))} s left`;
  };
}
