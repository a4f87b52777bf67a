import type { Command } from "commander";
import { InputError, parseAccount, readInputFile, type Account } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import { claimTarget, compareSnapshot, comparisonText, requireMatch, requireTarget } from "@vipscore/l1";
import { checkProofs, requireProved, type CheckedProofs } from "@vipscore/snapshot";
import type { Context } from "../context.ts";
import { pathOf } from "../contract/readTable.ts";
import { comparisonJson, openL1 } from "../l1/openL1.ts";
import { configOption, namedConfigHelp, namedConfigOnly, withL1Options, withOutputOptions } from "../options.ts";
import { findL1Settings, type L1CommandFlags } from "../settings/readSettings.ts";

export function addVerifyProof(command: Command, context: Context): void {
  withL1Options(withOutputOptions(command))
    .argument("<file>")
    .option("--address <address>", "check the proof of this account only")
    .addOption(configOption())
    .addHelpText("after", `${namedConfigHelp}\nExample:\n  $ vipscore verify-proof proofs12.json`)
    .action((file: string, flags: VerifyProofFlags) => verifyProofFile(context, file, namedConfigOnly(flags)));
}

interface VerifyProofFlags extends L1CommandFlags {
  readonly address?: string;
}

async function verifyProofFile(context: Context, file: string, flags: VerifyProofFlags): Promise<void> {
  const { output } = context;
  const account = flags.address === undefined ? undefined : parseAccount(flags.address, { accountBytes: [20, 32] });
  const checked = await checkProofFile(context, file, account);
  if (account !== undefined && checked.checked === 0) throw new InputError(`${file} has no proof of ${account}`);
  requireProved(file, checked);
  const { bridgeId, stage, root, total } = checked;
  const proofs = `${count(checked.checked, "proof")} of stage ${stage} of bridge ${bridgeId}`;
  output.print(`${proofs}: consistent with the file's own root`);
  const settings = await findL1Settings(context.io, flags);
  const found = settings && (await openL1(context, settings, { bridgeId, contract: undefined, stage }));
  if (found !== undefined) requireTarget(file, checked, claimTarget(found, stage));
  const l1 = found && (await compareSnapshot(found, checked));
  if (l1 === undefined) {
    // A file of other numbers can agree with itself as well.
    output.warn("nothing is verified without L1's root: set --l1-rest-url or L1_REST_URL");
  } else {
    output.print(`L1  ${comparisonText(l1, checked)}`);
    requireMatch(l1, checked);
    if (l1.status === "matches") output.print(`${output.paint("green", "verified")} ${proofs}`);
  }
  output.json({
    command: "verify-proof",
    file,
    bridgeId,
    stage,
    root,
    total,
    proofs: checked.checked,
    l1: comparisonJson(l1),
  });
}

/** Reads a proof file and checks its proofs against its root: those of one account, or all. */
export function checkProofFile(context: Context, file: string, only?: Account): Promise<CheckedProofs> {
  return checkProofs(textOf(context, file), { name: file, account: only });
}

async function* textOf({ io }: Context, file: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of readInputFile(pathOf(io, file), file, { signal: io.signal })) {
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}
