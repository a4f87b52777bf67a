import { formatBech32, type ContractIdentity, type Stage } from "@vipscore/core";
import type { PolicyFormulas } from "@vipscore/core/manifest";
import { isObject } from "@vipscore/core/wire";
import { formatRatio } from "../bcs/bcsType.ts";
import { codeBlock, escapeMarkdown, fieldList, gap, markdownTable, plainMarkdown, quoteMarkdown } from "./postText.ts";
import type { ProposalFile, RegistrationFile } from "./proposalFile.ts";
import { formulaSection } from "./updatePost.ts";
import type { MessageMeaning, VipMessage } from "./vipMessages.ts";

/** Inputs of the text of a forum post. */
export interface ForumPost {
  readonly settings: ProposalFile & Partial<Pick<RegistrationFile, "bridgeAddress" | "operator" | "commission">>;
  /** The scoring policy; undefined if only `settings` describes it. */
  readonly policy?: PolicyFormulas | undefined;
  readonly contract: ContractIdentity;
  /** The VM's name for people. */
  readonly vmName: string;
  /** The first stage that the contract has scores for. */
  readonly initStage: Stage;
  /** When L1 plans its start; undefined if it is not known. */
  readonly startsAt?: Date | undefined;
  readonly meaning: MessageMeaning;
  /** More rows about what is proposed. */
  readonly facts?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Commands with which anyone reads a stage's scores and computes their Merkle root, a line each. */
  readonly howToCheck: readonly string[];
}

/**
 * Returns the Markdown of a post about a proposal, in the outline for whitelisting of Initia's forum
 * (forum.initia.xyz/t/146, read 2026-11). `postGaps` lists what only a person can fill in.
 */
export function forumText({ settings, policy, howToCheck, meaning, ...post }: ForumPost): string {
  const { summary, recompute } = settings;
  const isRegistration = settings.operator !== undefined;
  const heading = isRegistration ? `Whitelist ${gap("name of the rollup")} on VIP` : escapeMarkdown(settings.title);
  return `# ${plainMarkdown(heading)}

## 0. Proposer Info

${fieldList([["Email"], ["Proposer's Project Name"], ["Proposer's Project URL"], ["Proposer's X (Twitter) Account"]])}

## 1. TL;DR

${quoteMarkdown(summary)}

## 2. Background

### 2-1 About the Project

${fieldList([["Protocol Name"], ["Protocol Blurb"], ["Protocol Type"], ["Docs"], ["Audits"]])}

## 3. Rationale & Impact

${fieldList([["Motivation and benefit to the Interwoven Economy"]])}
- VIP Scoring Criteria (Details):

${quoteMarkdown(settings.policy)}

${policy === undefined ? gap("the formulas: VIP removes a proposal without them") : formulaSection(policy)}

Every score is on the rollup, in the contract below. Anyone can read a stage's scores, and compute the Merkle root that L1
must have for it:

${codeBlock(howToCheck.join("\n"))}
${recompute === undefined ? "" : `\n${quoteMarkdown(recompute)}\n`}
## 4. Proposal Details

${markdownTable(["Field", "Value", "Example", "Description"], detailRows({ settings, ...post }))}

The proposal calls \`vip::${meaning.functionName}\`:

${markdownTable(
  ["argument", "value"],
  meaning.args.map(({ name, value }) => [`\`${name}\``, value]),
)}
`;
}

function detailRows({
  settings: { bridgeId, bridgeAddress, operator, commission },
  contract,
  vmName,
  initStage,
  startsAt,
  facts = [],
}: Omit<ForumPost, "policy" | "howToCheck" | "meaning">): readonly (readonly string[])[] {
  const rows: readonly (readonly [name: string, value: string | undefined, example: string, description: string])[] = [
    ["Operator Address", operator && formatBech32(operator), "init1…", "Gets the commission on L1"],
    ["Bridge ID", bridgeId.toString(), "938", "Number of the rollup's bridge on L1"],
    ["Bridge Address", bridgeAddress && formatBech32(bridgeAddress), "init1…", "L1's account of bridged tokens"],
    ["Scoring Contract Address", contract.address, "0x… or init1…", "Has the scores, on the rollup"],
    ["VM", vmName, "Move, Wasm or EVM", "The rollup's virtual machine"],
    ["Commission Max Rate", commission && formatRatio(commission.maxRate), "0.25", "The most that the rate can be"],
    ["Commission Max Change Rate", commission && formatRatio(commission.maxChangeRate), "0.05", "Its most in a stage"],
    ["Commission Rate", commission && formatRatio(commission.rate), "0.05", "The operator's share of the rewards"],
    ["Chain ID", contract.chainId, "my-rollup-1", "The rollup's"],
    ["First Stage", initStage.toString(), "12", "From which the contract has scores"],
    ["Start of the First Stage", startsAt?.toISOString(), "2026-12-01T08:00:00.000Z", "When L1 plans it"],
    ...facts.map(([name, value]) => [name, value, "", ""] as const),
  ];
  return rows.flatMap(([name, value, ...more]) => (value === undefined ? [] : [[name, value, ...more]]));
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
