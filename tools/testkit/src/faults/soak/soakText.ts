import type { Vm } from "@vipscore/core";
import { allFaultKinds, traitsOf } from "../faultChoice.ts";
import type { FaultCounts } from "../faultProxy.ts";
import type { RunReport } from "./soakRun.ts";

/** Formats a run as one line; for a WRONG run also why, and the command that repeats it. */
export function runLine(vm: Vm, run: RunReport): string {
  const { seed, mempool, rows, outcome, code, reason, faults, stop, rewritten, others, seconds } = run;
  const how = [outcome, ...(code === null ? [] : [code])].join(" ");
  const stopped = stop === null ? "" : `, ${stop.signal} at ${stop.of} ${stop.at}`;
  const twice = rewritten === 0 ? "" : `, ${rewritten} rewritten`;
  const member = others === null ? "" : `, others wrote ${others.writes}, ${others.oldReads} old reads`;
  const line = `seed ${seed}  ${how}  ${seconds.toFixed(1)} s  ${rows} rows${mempool === null ? "" : `, mempool ${mempool}`}${stopped}${member}${twice}  ${countsText(faults)}`;
  return reason === null ? line : `${line}\n  ${reason}\n  ${repeatCommand(vm, run)}`;
}

function repeatCommand(vm: Vm, { seed, rows, profile, others }: RunReport): string {
  const lag = profile.lagMs === undefined ? "" : " --lag";
  return `npm run soak -- --vm ${vm} --runs 1 --seed ${seed} --rows ${rows}${lag}${others === null ? "" : " --others"}`;
}

/** Lists each fault of a run, and the command's output. */
export function runDetails({ played, stderr }: RunReport): string {
  const faults = played.map(({ number, title, fault, detail = "", hashes }) =>
    `  ${number}  ${title}  ${fault} ${detail} ${hashes.join(" ")}`.trimEnd(),
  );
  const texts = stderr.map((text, index) => `${index === 0 ? "with faults" : "again, without"}:\n${text.trimEnd()}`);
  return ["faults by request:", ...faults, ...texts].join("\n");
}

/** Summarizes how often each fault was played, and how the runs ended. */
export function soakSummary(runs: readonly RunReport[]): string {
  const all = runs.map(({ faults }) => faults);
  const faultLines = allFaultKinds.map((kind) => {
    const count = all.reduce((sum, faults) => sum + (faults[kind] ?? 0), 0);
    const hit = all.filter((faults) => (faults[kind] ?? 0) > 0).length;
    return `  ${kind.padEnd(18)} ${String(count).padStart(6)} in ${String(hit).padStart(4)} runs  ${traitsOf(kind).title}`;
  });
  const endings = new Map<string, number>();
  for (const { outcome, code } of runs) {
    const ending = [outcome, ...(code === null ? [] : [code])].join(" ");
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  const endingLines = [...endings]
    .sort(([, one], [, other]) => other - one)
    .map(([ending, count]) => `  ${ending.padEnd(36)} ${count}`);
  return ["faults", ...faultLines, "runs", ...endingLines].join("\n");
}

function countsText(faults: FaultCounts): string {
  const counts = Object.entries(faults).map(([kind, count]) => `${kind} ${count}`);
  return counts.length === 0 ? "no fault" : counts.join(", ");
}
