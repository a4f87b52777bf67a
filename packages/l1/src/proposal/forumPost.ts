import { formatBech32, type ContractIdentity, type Stage } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import { formatRatio } from "../bcs/bcsType.ts";
import type { ProposalFile, RegistrationFile } from "./proposalFile.ts";
import type { MessageMeaning, VipMessage } from "./vipMessages.ts";

/** Inputs of the text of a forum post. */
export interface ForumPost {
  readonly settings: ProposalFile & Partial<Pick<RegistrationFile, "bridgeAddress" | "operator" | "commission">>;
  readonly contract: ContractIdentity;
  /** The VM's name for people. */
  readonly vmName: string;
  /** The first stage that the contract has scores for. */
  readonly initStage: Stage;
  readonly meaning: MessageMeaning;
  /** More rows about what is proposed. */
  readonly facts?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Commands with which anyone reads a stage's scores and computes their Merkle root, a line each. */
  readonly howToCheck: readonly string[];
}

/** Returns the Markdown of a forum post with what voters want to know of a rollup. */
export function forumText({ settings, contract, vmName, initStage, meaning, facts, howToCheck }: ForumPost): string {
  const { title, summary, bridgeId, bridgeAddress, operator, commission, policy, recompute } = settings;
  const rows = [
    ["Rollup", contract.chainId],
    ["VM", vmName],
    ["Bridge ID", bridgeId.toString()],
    ...(bridgeAddress === undefined ? [] : [["Bridge address", formatBech32(bridgeAddress)]]),
    ...(operator === undefined ? [] : [["Operator address", formatBech32(operator)]]),
    ["Scoring contract", contract.address],
    ["First stage of the contract", initStage.toString()],
    ...(commission === undefined
      ? []
      : [
          ["Commission", formatRatio(commission.rate)],
          ["Maximum commission", formatRatio(commission.maxRate)],
          ["Maximum change of the commission in a stage", formatRatio(commission.maxChangeRate)],
        ]),
    ...(facts ?? []),
  ];
  return `# ${plainMarkdown(title)}

${quoteMarkdown(summary)}

${table(["", ""], rows)}

## Scoring policy

${quoteMarkdown(policy)}

## How to check the scores

Every score is on the rollup, in the contract above. Anyone can read a stage's scores, and compute the Merkle root that L1
must have for it:

\`\`\`
${howToCheck.join("\n")}
\`\`\`
${recompute === undefined ? "" : `\n${quoteMarkdown(recompute)}\n`}
## The call

The proposal calls \`vip::${meaning.functionName}\`:

${table(
  ["argument", "value"],
  meaning.args.map(({ name, value }) => [`\`${name}\``, value]),
)}
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => plainMarkdown(escapeMarkdown(cell.replaceAll("\n", " ")))).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/**
 * Returns text as a Markdown quotation. No table, heading or HTML in it can pass for part of the post around it: the quotation
 * ends with its lines, and `|` and `<` stand for themselves.
 */
function quoteMarkdown(text: string): string {
  return escapeMarkdown(text.trim())
    .split("\n")
    .map((line) => `> ${plainMarkdown(line)}`.trimEnd())
    .join("\n");
}

/** Escapes what starts a table's cell or HTML. A backslash before it must not undo that. */
function plainMarkdown(line: string): string {
  return line.replaceAll(/\\*[|<]/g, (mark) => `${"\\".repeat(2 * (mark.length - 1) + 1)}${mark.at(-1)}`);
}

/**
 * Returns what a proposal's message says beside its call, by field, read from the message itself. Marks that steer a terminal or
 * hide text in it are escaped.
 */
export function proposalFields(message: VipMessage): readonly (readonly [name: string, text: string])[] {
  return ["title", "summary", "metadata", "proposer", "initial_deposit", "expedited"].flatMap((name) => {
    const text = valueText(message[name]);
    return text === undefined ? [] : [[name, escapeMarkdown(text)] as const];
  });
}

function valueText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(coinText).join(", ");
  return typeof value === "string" || typeof value === "boolean" ? `${value}` : undefined;
}

function coinText(coin: unknown): string {
  if (!isObject(coin)) return "";
  return ["amount", "denom"].map((name) => valueText(coin[name]) ?? "").join("");
}

/**
 * Makes text of several lines readable as what it is: control characters, except line feeds, and marks that reverse or hide text
 * become their code, such as `\u{202e}`.
 */
function escapeMarkdown(text: string): string {
  return text.replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
