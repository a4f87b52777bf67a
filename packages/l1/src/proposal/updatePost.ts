import type { PolicyFormulas } from "@vipscore/core/manifest";
import type { VipStage } from "../vip/readVipStage.ts";
import { codeBlock, fieldList, gap, markdownTable } from "./postText.ts";

/** Inputs of a post about a change of the scoring policy. */
export interface UpdatePost {
  readonly current: PolicyFormulas;
  readonly proposed: PolicyFormulas;
  /** The first stage that the proposed policy counts, see {@link announcedStage}; undefined if it is not known. */
  readonly stage: bigint | undefined;
  /** When that stage starts, see {@link stageStart}; undefined if it is not known. */
  readonly startsAt: Date | undefined;
  /** The scoring contract, if it is known. */
  readonly contract?: string | undefined;
  /** Commands that recompute a stage's scores. */
  readonly howToCheck: readonly string[];
}

/**
 * Returns the Markdown of a post about a change of the scoring policy, in the outline of Initia's forum
 * (forum.initia.xyz/t/263, read 2026-11). `postGaps` lists what only a person can fill in.
 */
export function renderUpdatePost({ current, proposed, stage, startsAt, contract, howToCheck }: UpdatePost): string {
  const rollup = gap("name of the rollup");
  const first = stage?.toString() ?? gap("number of the first stage");
  return `# Epoch ${first} ${rollup} VIP Update

## 0. Proposer Info

${fieldList([["Email"], ["Project / Rollup Name"], ["Project URL"], ["Official X (Twitter) Account"]])}

## 1. TL;DR

From stage ${first}, ${rollup} scores by other rules: ${gap("what changes, in a sentence")}

## 2. Background

### 2.1 Current (Active) Scoring Formula

${formulaSection(current)}

### 2.2 Reason for Change

${gap("reason for the change, with its data")}

## 3. Proposed Scoring Methodology

${formulaSection(proposed)}

## 4. Technical Implementation Plan

${fieldList([
  ["First stage", first],
  ["Start of the stage", startsAt && `${startsAt.toISOString()}, when L1 plans it`],
  ["Scoring contract", contract && `\`${contract}\``],
  ["What users have to do"],
])}

How anyone recomputes a stage, with a node of the rollup:

${codeBlock(howToCheck.join("\n"))}

## 5. References / Appendix (Optional)

${fieldList([["Forum thread"], ["Prior VIP scores & tier thresholds"], ["Folder of the policy"]])}
`;
}

/** Returns a policy's digests, variables, constants, formulas and query as part of a post. */
export function formulaSection({ digest, files, variables, constants, formulas, sql }: PolicyFormulas): string {
  return [
    `Policy digest: \`${digest}\``,
    fieldList(files.map(([name, sha256]) => [`\`${name}\``, `SHA-256 \`${sha256}\``])),
    markdownTable(
      ["Variable", "Source", "Unit"],
      variables.map(({ name, source, unit }) => [`\`${name}\``, source, unit ?? gap(`unit of ${name}`)]),
    ),
    ...(constants.length === 0
      ? []
      : [
          markdownTable(
            ["Constant", "Meaning"],
            constants.map(({ value, meaning }) => [value, meaning ?? gap(`meaning of ${value}`)]),
          ),
        ]),
    ...formulas.flatMap((formula) => [
      `\`${formula.name}\`:`,
      ...("latex" in formula
        ? formula.latex.map((latex) => `$$\n${latex}\n$$`)
        : [gap(`formula of ${formula.name}: the query has ${formula.lacks}`)]),
    ]),
    "Sums are over rows; ⌊a / b⌋ cuts off the fraction; a mod b has the sign of a. The score is an integer. The query decides:",
    codeBlock(sql, "sql"),
  ].join("\n\n");
}

/** VIP announces a change a week ahead (docs.initia.xyz, update of the scoring criteria, read 2026-11). */
const noticeMs = 7 * 86_400_000;

/** Returns the first stage that a change can hold from which is announced now, a week before L1 plans to start the stage. */
export function announcedStage(current: Pick<VipStage, "time" | keyof StageTimes>): bigint {
  const left = current.time.getTime() + noticeMs - current.endsAt.getTime();
  const interval = Number(current.intervalSeconds) * 1000;
  return current.stage + 1n + (left > 0 && interval > 0 ? BigInt(Math.ceil(left / interval)) : 0n);
}

type StageTimes = Pick<VipStage, "stage" | "startsAt" | "endsAt" | "intervalSeconds">;

/** Returns when L1 plans the start of its current stage or of a later one; undefined for one before. */
export function stageStart({ stage, startsAt, endsAt, intervalSeconds }: StageTimes, wanted: bigint): Date | undefined {
  if (wanted <= stage) return wanted === stage ? startsAt : undefined;
  return new Date(endsAt.getTime() + Number((wanted - stage - 1n) * intervalSeconds) * 1000);
}
