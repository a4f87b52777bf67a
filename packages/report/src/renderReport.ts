import { readFileSync } from "node:fs";
import { jsonBlock, Markup, markup } from "./markup.ts";
import { pagePolicy } from "./pagePolicy.ts";
import { countScored, encodeRows, rankRows } from "./rankRows.ts";
import { renderPage } from "./renderPage.ts";
import type { ReportClaimCost, ReportInput } from "./reportInput.ts";
import { distributionSection } from "./sections/distributionSection.ts";
import {
  changeSection,
  evidenceSection,
  findSection,
  headSection,
  listSection,
  pushSection,
  stageTitle,
  topSection,
  verificationSection,
} from "./sections/stageSections.ts";

/**
 * Renders the report of a stage as one HTML page. The page holds all rows, makes proofs itself, and requests nothing: its
 * policy (CSP) allows its own script and style only. The same input gives the same page.
 *
 * @throws InputError `INPUT_INVALID` for an account or score that cannot be, a link that is not http or https, or if the scores do not add up to the total.
 * @example
 * const page = renderReport({ stage: 12n, contract: contract.identity, height, isFinalized: true, total: table.total, rows: table });
 */
export function renderReport(input: ReportInput): string {
  const { stage, total, snapshot, previous, push, evidence } = input;
  const ranked = rankRows(input.rows, total);
  const facts = {
    stage: `${stage}`,
    total: `${total}`,
    scored: countScored(ranked),
    isBech32: input.contract.vm === "wasm",
    bridgeId: snapshot === undefined ? null : `${snapshot.bridgeId}`,
    root: snapshot?.root ?? null,
    l1: snapshot?.target === undefined ? null : { ...snapshot.target, version: `${snapshot.target.version}` },
    claim: snapshot?.claim === undefined ? null : claimFacts(snapshot.claim),
  };
  const script = readPageScript("page");
  return renderPage(
    stageTitle(input),
    policyOf(script),
    markup`${headSection(input, ranked)}
<main>
${findSection(snapshot !== undefined)}
${distributionSection(ranked, total)}
${previous === undefined ? "" : changeSection(previous, ranked, { ...facts, total })}
${topSection(ranked, { ...facts, total })}
${listSection(ranked.length)}
${evidence === undefined ? "" : evidenceSection(evidence)}
${push === undefined ? "" : pushSection(push)}
${verificationSection(input)}
</main>
<script type="application/json" id="facts">${jsonBlock(facts)}</script>
<script type="text/plain" id="rows">${encodeRows(ranked)}</script>
<script type="text/plain" id="worker">${new Markup(readPageScript("worker"))}</script>
<script>${new Markup(script)}</script>`,
  );
}

function claimFacts({ gas, fee, lastStage }: ReportClaimCost): object {
  return {
    gas: `${gas}`,
    fee: fee === undefined ? null : { ...fee, amount: `${fee.amount}` },
    lastStage: lastStage === undefined ? null : `${lastStage}`,
  };
}

/** The worker is made from a block of the page. `wasm-unsafe-eval` lets it compile the WebAssembly in it, and no text. */
function policyOf(pageScript: string): string {
  return pagePolicy(pageScript, { "script-src": "'wasm-unsafe-eval'", "worker-src": "blob:" });
}

/** Reads a script that `npm run page` bundles from `page/`; the published package contains it. */
function readPageScript(name: "page" | "worker"): string {
  try {
    return readFileSync(new URL(`../bundle/${name}.js`, import.meta.url), "utf8");
  } catch (cause) {
    throw new Error("the scripts of the report are not built: run `npm run page -w @vipscore/report`", { cause });
  }
}
