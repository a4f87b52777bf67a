import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { InputError, refuseExisting, writeNewFile } from "@vipscore/core";
import { count, vms } from "@vipscore/core/values";
import type { LocalNode, VipnodeVm } from "@vipscore/localnet";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { connectionOption, withOutputOptions, withPackage } from "../options.ts";
import { RefusedReport } from "../output/reportError.ts";
import { isVipnodeVm, rollups } from "../rollup/rollups.ts";
import { checkVm } from "../settings/readSettings.ts";

export function addConform(command: Command, context: Context): void {
  withPackage(withOutputOptions(command), "@vipscore/conformance")
    .option(
      "--artifact <path>",
      "the compiled contract: JSON of Hardhat or Foundry, .mv, built Move package, or .wasm (default: vipscore's own)",
    )
    .option(
      "--sources [path]",
      "check what the code makes impossible. EVM: the input of solc, none with Hardhat 3; Move: none",
    )
    .option("--vm <vm>", `without --artifact, the VM: ${vms.join(", ")}`, "evm")
    .addOption(
      connectionOption(
        "--endpoint <url>",
        "run on this development chain, where the public test account has funds (default: starts a chain)",
      ),
    )
    .addOption(
      new Option("--only <rules>", "only the program's rules, for a contract with the published interface").choices([
        "reference",
      ]),
    )
    .addOption(
      new Option("--except <rule=reason>", "a rule that the contract need not keep, such as R16=reason; repeatable")
        .argParser(collectException)
        .default(new Map(), "none"),
    )
    .option("--seed <n>", "seed of the accounts and of random calls (default: a new one)", parseSeed)
    .option("--junit <file>", "also write the results to this new file, in JUnit's format")
    .addHelpText(
      "after",
      `
Uses no key of yours: contracts are deployed by a public test account.

Examples:
  $ vipscore conform
  $ vipscore conform --artifact artifacts/MyScore.json --except R16=deliberate
  $ vipscore conform --artifact artifacts/contracts/MyScore.sol/MyScore.json --sources
  $ vipscore conform --artifact out/MyScore.sol/MyScore.json --sources out/build-info/1a2b.json
  $ vipscore conform --artifact my-package --sources
  $ vipscore conform --artifact my_score.wasm --only reference --junit conform.xml`,
    )
    .action((flags: ConformFlags) => testContract(context, flags));
}

function collectException(text: string, earlier: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, rule, reason] = /^(R\d+)=\s*(\S.*)$/s.exec(text) ?? [];
  if (rule === undefined || reason === undefined) {
    throw new InputError(`--except ${text} is not a rule R with a reason, such as R16=reason`);
  }
  return new Map([...earlier, [rule, reason]]);
}

function parseSeed(text: string): number {
  const seed = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (seed === undefined) throw new InputError(`--seed ${text} is not a number of at most 15 digits`);
  return seed;
}

interface ConformFlags {
  readonly artifact?: string;
  readonly sources?: string | true;
  readonly vm: string;
  readonly endpoint?: string;
  readonly only?: "reference";
  readonly except: ReadonlyMap<string, string>;
  readonly seed?: number;
  readonly junit?: string;
}

async function testContract(context: Context, flags: ConformFlags): Promise<void> {
  const { io, output } = context;
  const { seed = randomInt(2 ** 31), except: exceptions } = flags;
  const conformance = await optionalPackage("@vipscore/conformance");
  const artifact = flags.artifact === undefined ? undefined : resolve(io.cwd, flags.artifact);
  const vm = checkVm({ value: flags.vm, source: "--vm" });
  const code = await (artifact === undefined ? conformance.publishedCode(vm) : conformance.readContractCode(artifact));
  const scenarios = conformance.scenarios.filter(({ area }) => flags.only === undefined || area === "program");
  const known = new Set<string>(scenarios.flatMap(({ rules }) => rules));
  const unknown = [...exceptions.keys()].find((rule) => !known.has(rule));
  if (unknown !== undefined) throw new InputError(`--except ${unknown}: no scenario of this run tests that rule`);

  const junit = flags.junit === undefined ? undefined : { path: resolve(io.cwd, flags.junit), name: flags.junit };
  if (junit !== undefined) await refuseExisting(junit.path, junit.name);

  const sources = typeof flags.sources === "string" ? resolve(io.cwd, flags.sources) : flags.sources;
  const isForeign = flags.endpoint !== undefined;
  if (sources !== undefined) output.showTransient("checking the sources");
  let done = 0;
  const report = await conformance.testContract(
    { code, seed, isForeign, area: flags.only && "program", exceptions, sources },
    {
      openChain: async () => flags.endpoint ?? (isVipnodeVm(code.vm) ? startChain(context, code.vm) : undefined),
      onResult: ({ id, area }) => {
        const line = `${(done += 1)} of ${scenarios.length}  ${id}`;
        output.showTransient(line);
        // Without a terminal a line for each area.
        if (!output.isTerminal && scenarios[done]?.area !== area) output.note(line);
      },
      signal: io.signal,
    },
  );
  if (junit !== undefined) await writeNewFile(junit.path, junit.name, [conformance.junitReport(report.results)]);
  for (const line of conformance.reportLines(report, (style, text) => output.paint(style, text))) output.print(line);
  const object = { command: "conform", vm: code.vm, artifact: flags.artifact, ...conformance.reportJson(report) };
  const broken = report.rules.filter(({ verdict }) => verdict === "broken").map(({ rule }) => rule);
  // An outcome without one of our codes.
  const ownRefusal = /\bsaw \{ outcome: 'TRANSACTION_FAILED'/;
  const isOwnRefusal = flags.only === undefined && report.results.some(({ seen }) => ownRefusal.test(seen));
  if (broken.length > 0) {
    throw new RefusedReport(`the contract breaks ${count(broken.length, "rule")}: ${broken.join(", ")}`, {
      code: "NOT_CONFORMING",
      report: object,
      metaMessages: isOwnRefusal
        ? ["If it refuses calls on purpose, as a cap does, test the program's rules alone: --only reference"]
        : [],
    });
  }
  output.json(object);
}

async function startChain({ io, output, atEnd }: Context, vm: VipnodeVm): Promise<string> {
  const { startVipnode, vipnodeBuildNotes } = await optionalPackage("@vipscore/localnet");
  const options = { vm, signal: io.signal, onProgress: vipnodeBuildNotes([vm], output) };
  const node: LocalNode & { readonly restUrl?: string } = await startVipnode(options);
  atEnd(() => node.stop());
  return node[rollups[vm].scenarioUrl] ?? node.rpcUrl;
}
