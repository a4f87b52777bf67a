import { resolve } from "node:path";
import type { GasPerRow, ScenarioResult, Subject } from "@vipscore/conformance";
import { InputError, refuseExisting, writeNewFile, type Vm } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { LocalNode } from "@vipscore/localnet";
import type { Context } from "../../context.ts";
import { optionalPackage, type PackageExports } from "../../optionalPackage.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { isVipnodeVm, rollups } from "../../rollup/rollups.ts";
import { checkVm } from "../../settings/checkVm.ts";
import { printReport, reportJson, type ConformReport } from "./report.ts";

/** The flags of `conform`. */
export interface ConformFlags {
  readonly artifact?: string;
  readonly vm: string;
  readonly endpoint?: string;
  readonly only?: "reference";
  /** The reason for each rule that is excepted. */
  readonly except: ReadonlyMap<string, string>;
  readonly seed: number;
  readonly junit?: string;
}

/**
 * Runs the scenarios on a contract: `conform`.
 *
 * @throws CheckError `NOT_CONFORMING` after the report, if the contract does not keep a rule that is not excepted.
 */
export async function proveContract(context: Context, flags: ConformFlags): Promise<void> {
  const { io, output } = context;
  const { seed, except: exceptions } = flags;
  const conformance = await optionalPackage("@vipscore/conformance");
  const artifact = flags.artifact === undefined ? undefined : resolve(io.cwd, flags.artifact);
  const vm = checkVm({ value: flags.vm, source: "--vm" });
  const code = await (artifact === undefined ? conformance.publishedCode(vm) : conformance.readContractCode(artifact));
  const scenarios = conformance.scenarios.filter(({ area }) => flags.only === undefined || area === "program");
  const known = new Set<string>(scenarios.flatMap(({ rules }) => rules));
  const unknown = [...exceptions.keys()].find((rule) => !known.has(rule));
  if (unknown !== undefined) throw new InputError(`--except ${unknown}: no scenario of this run proves that rule`);

  const junit = flags.junit === undefined ? undefined : { path: resolve(io.cwd, flags.junit), name: flags.junit };
  if (junit !== undefined) await refuseExisting(junit.path, junit.name);

  const started = performance.now();
  const url = flags.endpoint ?? (await startChain(context, code.vm));
  const subject = await conformance.openSubject({ url, code, seed, mayBeMinievm: flags.endpoint !== undefined });
  const results: ScenarioResult[] = [];
  const options = { scenarios, exceptions: new Set(exceptions.keys()), signal: io.signal };
  for await (const result of conformance.runConformance(subject, options)) {
    results.push(result);
    output.showTransient(`${results.length} of ${scenarios.length}  ${result.id}`);
  }
  const report: ConformReport = {
    vm: code.vm,
    artifact: flags.artifact,
    seed,
    exceptions,
    rules: conformance.resultsByRule(results, options.exceptions),
    results,
    gas: await measured(conformance, subject),
    comparesStorage: subject.showsStorage,
    seconds: Math.round((performance.now() - started) / 1_000),
  };
  if (junit !== undefined) await writeNewFile(junit.path, junit.name, [conformance.junitReport(results)]);
  printReport(output, report);
  const broken = report.rules.filter(({ verdict }) => verdict === "broken").map(({ rule }) => rule);
  if (broken.length > 0) {
    throw new RefusedReport(`the contract does not keep ${count(broken.length, "rule")}: ${broken.join(", ")}`, {
      code: "NOT_CONFORMING",
      report: reportJson(report),
    });
  }
  output.json(reportJson(report));
}

/** Undefined for a contract that cannot write a batch, which the scenarios report. */
function measured(
  conformance: PackageExports<"@vipscore/conformance">,
  subject: Subject,
): Promise<GasPerRow | undefined> {
  return conformance.measureGas(subject).catch(() => undefined);
}

/** Starts a local chain that ends with the command, and returns its endpoint. */
async function startChain({ io, output, atEnd }: Context, vm: Vm): Promise<string> {
  const { startHardhat, startVipnode, vipnodeBuildNotes } = await optionalPackage("@vipscore/localnet");
  const node: LocalNode & { readonly restUrl?: string } = isVipnodeVm(vm)
    ? await startVipnode({ vm, signal: io.signal, onProgress: vipnodeBuildNotes([vm], output) })
    : await startHardhat();
  atEnd(() => node.stop());
  return node[rollups[vm].endpoint.ofNode] ?? node.rpcUrl;
}
