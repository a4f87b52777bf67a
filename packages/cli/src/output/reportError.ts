import type { Hint, InputIssue, VipErrorOptions, Vm } from "@vipscore/core";
import {
  exitStatusOf,
  InputError,
  RowRefusedError,
  systemError,
  systemErrorCode,
  VerificationError,
  VipError,
} from "@vipscore/core/errors";
import { count } from "@vipscore/core/values";
import { installCommand } from "../optionalPackage.ts";
import { rollups } from "../rollup/rollups.ts";
import type { Output } from "./output.ts";
import { printDifferences, verificationJson } from "./verification.ts";

/** Column at which `[CODE, exit N]` starts. */
const tagColumn = 73;
/** Maximum number of rejected rows shown on a terminal; a file or a pipe gets all. */
const maxRowsOnTerminal = 50;
/** Exit status of a bug in vipscore itself. */
const faultStatus = 1;

interface ReportOptions {
  readonly debug: boolean;
}

/** Reports why a command failed, for people on stderr and with `--json` also on stdout. Returns its exit status. */
export function reportError(output: Output, error: unknown, options: ReportOptions): number {
  if (options.debug) output.note(stackOf(error));
  if (!VipError.isVipError(error)) {
    // The second are the loaders' words for a binding that npm left out, which had another Node or system then.
    const isBinding = systemErrorCode(error) === "ERR_DLOPEN_FAILED" || /native binding|\.node'/.test(String(error));
    const worded = isBinding ? builtForOther(error) : systemError(error);
    if (worded === undefined) return reportFault(output, error, options);
    return reportError(output, worded, { debug: false });
  }
  const exit = exitStatusOf(error.code);
  const issues = error instanceof InputError ? error.issues.map(wordedIssue) : [];
  // The summary already contains a problem of the whole file.
  const listed = issues.filter((issue) => !error.shortMessage.includes(issue.message));
  printIssues(output, listed);
  if (error instanceof VerificationError) printDifferences(output, error.verification);
  const refused = error.walk((each) => each instanceof RowRefusedError);
  const hints = [...hintLines(error), ...chainsOwnWords(error)];
  const summary = issues.length > 0 ? `${error.shortMessage}, nothing was sent.` : error.shortMessage;
  output.note(
    tagged(output, [output.paintNote("red", summary), ...hints], [summary, ...hints], `[${error.code}, exit ${exit}]`),
  );
  output.json({
    ...(error instanceof RefusedReport ? error.report : {}),
    error: { code: error.code, message: error.shortMessage, hints, exit, ...(issues.length > 0 ? { issues } : {}) },
    ...(error instanceof VerificationError ? { verification: verificationJson(error.verification) } : {}),
    ...(refused instanceof RowRefusedError ? { refused: refused.refusal } : {}),
  });
  return exit;
}

/** A native module is missing, or was compiled for another Node, or came with node_modules from another system. */
function builtForOther(cause: unknown): InputError {
  const { version, platform, arch } = process;
  return new InputError(`an installed package does not work with Node ${version} on ${platform} ${arch}`, {
    code: "PACKAGE_MISSING",
    metaMessages: [
      "Install all packages again here, with this Node: remove node_modules, and run npm ci or npm install.",
    ],
    details: String(cause),
    cause,
  });
}

function reportFault(output: Output, error: unknown, { debug }: ReportOptions): number {
  const message = error instanceof Error ? error.message : String(error);
  const hint = debug ? [] : ["This is a bug in vipscore. Run again with --debug and report the output."];
  output.note(tagged(output, [message, ...hint], [message, ...hint], `[INTERNAL, exit ${faultStatus}]`));
  output.json({ error: { code: "INTERNAL", message, hints: hint, exit: faultStatus } });
  return faultStatus;
}

function printIssues(output: Output, issues: readonly InputIssue[]): void {
  const shown = output.isTerminal && issues.length > maxRowsOnTerminal ? issues.slice(0, maxRowsOnTerminal) : issues;
  for (const { file, row, message } of shown) {
    output.note(row === undefined ? `${file}  ${message}` : `${file}:${row}  ${message}`);
  }
  const left = issues.length - shown.length;
  if (left > 0) output.note(`and ${count(left, "more row", "more rows")}; --json lists all`);
}

/** Returns the node's message, unless the error already contains it. */
export function chainsOwnWords({ details, message }: VipError): readonly string[] {
  const text = details?.trim() ?? "";
  // Indented, so that none of its lines can be taken for this program's own.
  return text === "" || message.includes(text) ? [] : [`Details: ${text.replaceAll("\n", "\n  ")}`];
}

/** Puts the tag to the right of the last line, or below it if that line is too long. */
function tagged(output: Output, lines: readonly string[], plain: readonly string[], tag: string): string {
  const last = plain.at(-1) ?? "";
  const column = Math.max(0, Math.min(tagColumn, output.noteColumns - tag.length));
  const gap = last.length + 2 < column ? " ".repeat(column - last.length) : `\n${" ".repeat(column)}`;
  return `${lines.join("\n")}${gap}${tag}`;
}

/** Returns the stacks of an error and its causes; only stacks, because other properties may contain a secret. */
export function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let current = error; current instanceof Error && stacks.length < 8; current = current.cause) {
    stacks.push(current.stack ?? current.message);
  }
  return stacks.length === 0 ? String(error) : stacks.join("\ncaused by: ");
}

/** A check that failed after the command printed its report: `--json` prints one object with both. */
export class RefusedReport extends VipError {
  static override readonly className: string = "RefusedReport";

  override readonly name: string = "RefusedReport";
  readonly report: object;

  constructor(shortMessage: string, { report, ...options }: VipErrorOptions & { readonly report: object }) {
    super(shortMessage, options);
    this.report = report;
  }
}

/** Returns the lines that an error adds to its message: its hints name the commands to run. */
export function hintLines({ advice }: Pick<VipError, "advice">): readonly string[] {
  return advice.map((line) => (typeof line === "string" ? line : hintText(line)));
}

/** Hints whose texts name nothing of the error. */
const texts: Readonly<Partial<Record<Hint["code"], string>>> = {
  "choose-bridge": "Name the one of this rollup with --bridge-id.",
  "complete-upgrade":
    "To complete it, run vipscore deploy --upgrade with the publisher's key, or let the publisher call complete_upgrade_script.",
  "drop-fraction": "use --floor to drop the fraction",
  "extra-accounts": "Use --prune to set them to 0, or add them to the file. Nothing was sent.",
  "fee-limit":
    "Push again to continue where it stopped, at the price that its plan then shows; push --max-fee sets the maximum.",
  finalize: "Finalize it first: vipscore finalize",
  "finalize-early":
    "Finalize once L1 has moved on; --early finalizes now, and the rest of the stage can then never be scored.",
  "free-port": "Stop that program, or choose another port with --port; --port 0 picks a free one.",
  "more-memory": "Or let it have more memory, with --memory.",
  "name-admin":
    "Also name who may replace the code: the new owner, or none for permanently nobody (--admin <address> or --admin none).",
  "name-artifact":
    "To have its error named, add artifact beside contract in vipscore.config.json: the contract's compiled JSON, or on Move the folder of its package.",
  "name-columns": "name its columns with --columns address=…,score=…",
  "name-endpoint": "Or start your own minitiad and name its endpoint with --endpoint: REST on Move, RPC on Wasm.",
  "name-policy":
    "Also say whether the deployer may (--upgrade-policy compatible), or permanently nobody (--upgrade-policy immutable).",
  "name-window": "Add blocks or times under [window], or name L1 with --l1-rest-url.",
  "no-packed": "Push without --packed.",
  "propose-contract": "To name another contract: vipscore proposal contract",
  "propose-registration": "To register it: vipscore proposal register",
  "publish-first":
    "Nothing was sent. Publish that first, a scoring contract with vipscore deploy, or name its address with --named-address.",
  "reference-roles": "Deploy it without --owner and --finalizer, or build it on the vipscore contract.",
  "rewrite-proofs":
    "A claim of another version or on another chain fails. Write the file again with vipscore snapshot.",
  "set-first-stage": "A deployer sets the first one with set_init_stage; vipscore deploy does it.",
  "skip-stages": "Add their proof files, or name the stages with --stages if the account has no score in these.",
  spill: "Choose a larger disk with --spill, or divide its collections among several sources.",
  "start-local-node": "Remove the file and start the local node again; `vipscore node` writes it.",
  upgrade: "To replace it, deploy with --upgrade.",
  "use-jsonl": "use --format jsonl for one value on each line",
  "write-manifest": "`vipscore score run` writes a manifest beside its CSV, such as scores12.manifest.json.",
  "write-proofs": "Write one with vipscore snapshot --out.",
};

/** Returns an issue of an input in the command's own words. */
export function wordedIssue({ hint, ...issue }: InputIssue): InputIssue {
  if (hint === undefined) return issue;
  return { ...issue, message: issue.message.slice(0, -hint.text.length) + hintText(hint) };
}

function hintText(hint: Hint): string {
  const { code } = hint;
  if (code === "ask-manager") return managersText(hint);
  if (code === "replace-reference-contract") return replacementText(hint.vm);
  if (code === "name-contract") return "Name that contract with --contract, or remove chain from the manifest.";
  if (code === "add-member")
    return `One of the managers, which vipscore status names, can add it: vipscore members add ${hint.account}`;
  if (code === "offer-ownership") {
    return `The owner, ${hint.owner}, can offer it: vipscore owner offer ${hint.account}`;
  }
  if (code === "name-finalizer") {
    return `The owner, ${hint.owner}, can name another account: vipscore members finalizer <address>, or any for every member.`;
  }
  if (code === "install-transport") {
    return `Install it next to vipscore: ${installCommand("@ledgerhq/hw-transport-node-hid-noevents")} (with -g if vipscore is installed with -g).`;
  }
  if (code === "challenge") return `${hint.text}: vipscore proposal challenge --stage ${hint.stage}`;
  if (code === "claim-next") return `Its next stage is ${hint.stage}: name stages from it on with --stages.`;
  if (code === "name-bridge") {
    return `Name its bridge with --bridge-id, or check the contract. Known are ${hint.known}.`;
  }
  if (code === "expedite") {
    return `An expedited vote can be in time if it starts before ${hint.before}: --expedited. It needs a deposit of ${hint.deposit}.`;
  }
  if (code === "name-l1") return `Name the REST endpoint of ${hint.chainId} with --l1-rest-url.`;
  if (code === "name-vip") {
    return `It is known for ${hint.known}. Set it with --vip-address, VIP_ADDRESS or vipAddress.`;
  }
  if (code === "scale") {
    return `use --scale ${hint.scale} ${hint.unit === undefined ? "if the point starts a fraction" : `to count in ${hint.unit}`}`;
  }
  return texts[code] ?? hint.text;
}

export function replacementText(vm: Vm): string {
  return rollups[vm].codeAdmin === "nobody"
    ? "Its code cannot be replaced. Deploy a new contract: vipscore deploy --from <address> takes over the open stage."
    : "If the contract can be upgraded, run vipscore deploy --upgrade.";
}

function managersText({ vm, address, owner }: Hint & { readonly code: "ask-manager" }): string {
  const isPublisher = rollups[vm].otherManagers === "publisher";
  if (owner === undefined) return isPublisher ? "The module's publisher can." : "The contract's members can.";
  if (isPublisher && address.toLowerCase() === owner) return `The owner and publisher, ${owner}, can.`;
  const others = isPublisher ? `the module's publisher, ${address}` : "the contract's members";
  return `The owner, ${owner}, and ${others} can.`;
}
