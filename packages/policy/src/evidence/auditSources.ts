import { VipError } from "@vipscore/core";
import type { ManifestSource, ManifestWindow, ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import { undefinedIf } from "@vipscore/core/wire";
import type { PolicyChain } from "../chain/policyChain.ts";
import { readBlockHead } from "../chain/rollupNode.ts";
import { rowsText, type CollectedSource } from "../sources/openSources.ts";
import type { Misfit } from "../sources/policySource.ts";
import type { AuditLog } from "./auditLog.ts";

export function auditRollup(
  { vm, chainId }: ScoresManifest["rollup"],
  chain: PolicyChain | undefined,
  log: AuditLog,
): void {
  if (vm !== chain?.node.vm) {
    const [then, now] = [vm, chain?.node.vm].map((name) => (name === undefined ? "no rollup" : `the ${name} VM`));
    log.differs("chain", "the rollup", `the manifest is for ${then}, but ${now} was read`);
  } else if (chain === undefined) log.notChecked("chain", `${chainId}: no source reads the rollup`);
  else if (chain.chainId === chainId) log.same("chain", `${chainId}, ${chain.node.vm}`);
}

export async function auditWindow(
  recorded: ManifestWindow | undefined,
  chain: PolicyChain | undefined,
  log: AuditLog,
  signal: AbortSignal,
): Promise<void> {
  const name = "the window";
  if (recorded === undefined && chain === undefined) return;
  if (recorded === undefined || chain === undefined) {
    const which = chain === undefined ? "the policy" : "the manifest";
    log.differs("window", name, `${which} has no window`);
    return;
  }
  const { length: before } = log.differences;
  for (const end of ["first", "last"] as const) {
    const { height, hash, time } = recorded[end];
    const resolved = chain.window[end];
    const found =
      resolved.height === height
        ? resolved
        : await undefinedIf(isUnreachable, readBlockHead(chain.node, height, signal));
    const block = `block ${group(height)}`;
    if (resolved.height !== height) {
      const now = `the policy's is now block ${group(resolved.height)}`;
      log.differs("window", name, `the ${end} block was ${group(height)}, and ${now}`);
    }
    if (found === undefined) log.differs("window", name, `the endpoint does not have ${block}`);
    else if (found.hash !== hash) log.differs("window", name, `${block} had the hash ${hash}, and has ${found.hash}`);
    else if (found.time !== time) log.differs("window", name, `${block} had the time ${time}, and has ${found.time}`);
  }
  if (log.differences.length > before) return;
  const { first, last } = recorded;
  log.same("window", `blocks ${group(first.height)} to ${group(last.height)}, with the same hashes`);
}

function isUnreachable(error: unknown): boolean {
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE";
}

export function auditSources(
  recorded: readonly ManifestSource[],
  collected: readonly CollectedSource[],
  log: AuditLog,
): void {
  const found = new Map(collected.map((source) => [source.name, source]));
  for (const source of recorded) {
    const { name, kind, rows, misfits = [] } = source;
    const now = found.get(name);
    found.delete(name);
    if (now === undefined) {
      log.differs("source", `source ${name}`, `${name}: the policy does not have this source`);
    } else if (now.kind !== kind) {
      log.differs("source", `source ${name}`, `${name} had the kind ${kind}, and now has ${now.kind}`);
    } else if (now.digest !== source.sha256 || now.rows !== rows) {
      const [then, after] = [source, { rows: now.rows, sha256: now.digest }].map(
        (state) => `${count(state.rows, "row")}, sha256 ${shortDigest(state.sha256)}`,
      );
      log.differs("source", `source ${name}`, `${name} had ${then}; now ${after}`);
    } else if (JSON.stringify(misfits.map(placeOf)) !== JSON.stringify((now.misfits ?? []).map(placeOf))) {
      const [then, after] = [misfits, now.misfits ?? []].map((left) => count(left.length, "event"));
      log.differs("source", `source ${name}`, `${name} left out ${then} that did not fit; now ${after}, or other ones`);
    } else {
      log.same("source", `${name}, ${kind}, ${rowsText(now)}`);
    }
  }
  for (const name of found.keys()) {
    log.differs("source", `source ${name}`, `${name}: the manifest does not have this source`);
  }
}

function placeOf({ height, transaction, event }: Misfit): readonly unknown[] {
  return [height, transaction, event];
}
