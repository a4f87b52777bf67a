import type { ManifestSource, ManifestWindow, ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { CollectedSource, Policy, PolicyChain } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import type { AuditLog } from "./auditLog.ts";

/** Compares the policy's chain ID with the manifest's. */
export function auditChainId(recorded: ScoresManifest["rollup"], { chainId }: Policy, log: AuditLog): void {
  if (chainId === recorded.chainId) return;
  log.differs("chain", "the chain ID", `the manifest is of chain ${recorded.chainId}, the policy of ${chainId}`);
}

/** Compares the rollup that was read with the manifest's. */
export function auditRollup(
  { vm, chainId }: ScoresManifest["rollup"],
  chain: PolicyChain | undefined,
  log: AuditLog,
): void {
  if (vm !== chain?.node.vm) {
    const [then, now] = [vm, chain?.node.vm].map((name) => (name === undefined ? "no rollup" : `the ${name} VM`));
    log.differs("chain", "the rollup", `the manifest is of ${then}, and ${now} was read`);
  } else if (chain === undefined) log.notChecked("chain", `${chainId}: no source reads the rollup`);
  else if (chain.chainId === chainId) log.same("chain", `${chainId}, ${chain.node.vm}`);
}

/** Compares the blocks that the policy counts with the manifest's. @throws NodeError; the signal's reason when aborted. */
export async function auditWindow(
  { io }: Context,
  recorded: ManifestWindow | undefined,
  chain: PolicyChain | undefined,
  log: AuditLog,
): Promise<void> {
  const name = "the window";
  if (recorded === undefined && chain === undefined) return;
  if (recorded === undefined || chain === undefined) {
    const which = chain === undefined ? "the policy" : "the manifest";
    log.differs("window", name, `${which} has no window`);
    return;
  }
  const { compareWindow } = await optionalPackage("@vipscore/policy");
  const ends = await compareWindow(chain, recorded, io.signal);
  const { length: before } = log.differences;
  for (const { end, recorded: block, resolved, found } of ends) {
    const height = group(block.height);
    if (resolved.height !== block.height) {
      const now = `the policy's is now block ${group(resolved.height)}`;
      log.differs("window", name, `the ${end} block was ${height}, and ${now}`);
    }
    if (found === undefined) log.differs("window", name, `the endpoint does not have block ${height}`);
    else if (found.hash !== block.hash) {
      log.differs("window", name, `block ${height} had the hash ${block.hash}, and has ${found.hash}`);
    } else if (found.time !== block.time) {
      log.differs("window", name, `block ${height} had the time ${block.time}, and has ${found.time}`);
    }
  }
  if (log.differences.length > before) return;
  const { first, last } = recorded;
  log.same("window", `blocks ${group(first.height)} to ${group(last.height)}, with the same hashes`);
}

/** Compares the rows of each source with the manifest's. */
export function auditSources(
  recorded: readonly ManifestSource[],
  collected: readonly CollectedSource[],
  log: AuditLog,
): void {
  const found = new Map(collected.map((source) => [source.name, source]));
  for (const source of recorded) {
    const { name, kind, rows } = source;
    const now = found.get(name);
    found.delete(name);
    if (now === undefined) {
      log.differs("source", `source ${name}`, `${name}: the policy does not have this source`);
    } else if (now.kind !== kind) {
      log.differs("source", `source ${name}`, `${name} was of kind ${kind}, and is ${now.kind}`);
    } else if (now.digest !== source.sha256 || now.rows !== rows) {
      const [then, after] = [source, { rows: now.rows, sha256: now.digest }].map(
        (state) => `${count(state.rows, "row")}, sha256 ${shortDigest(state.sha256)}`,
      );
      log.differs("source", `source ${name}`, `${name} had ${then}; now ${after}`);
    } else log.same("source", `${name}, ${kind}, ${count(rows, "row")}`);
  }
  for (const name of found.keys()) {
    log.differs("source", `source ${name}`, `${name}: the manifest does not have this source`);
  }
}
