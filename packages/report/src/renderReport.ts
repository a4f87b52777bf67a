import { createHash } from "node:crypto";
import { compareStages } from "./compareStages.ts";
import { encodeRows } from "./encodeRows.ts";
import { jsonBlock, markup, Markup } from "./markup.ts";
import { pageScript, workerScript } from "./pageScripts.generated.ts";
import { rankRows } from "./rankRows.ts";
import type { ReportInput } from "./reportInput.ts";
import { drawChange, drawDistribution, drawHead, drawPush, drawTopTen, drawVerification } from "./sections.ts";
import { styles } from "./styles.ts";

/**
 * Renders the report of a stage as one HTML page. The page holds all rows, makes proofs itself, and requests nothing: its
 * policy (CSP) allows its own script and style only. The same input gives the same page.
 *
 * @throws InputError `INPUT_INVALID` for an account or score that cannot be, or if the scores do not add up to the total.
 * @example
 * const page = renderReport({ stage: 12n, contract: contract.identity, height, isFinalized: true, total: table.total, rows: table });
 */
export function renderReport(input: ReportInput): string {
  const { stage, total, snapshot, previous } = input;
  const ranked = rankRows(input.rows, total);
  const facts = {
    stage: `${stage}`,
    total: `${total}`,
    bridgeId: snapshot === undefined ? null : `${snapshot.bridgeId}`,
    root: snapshot?.root ?? null,
  };
  const sections = [
    drawHead(input, ranked),
    findSection(snapshot !== undefined),
    drawDistribution(ranked, total),
    ...(previous === undefined ? [] : [drawChange(compareStages(ranked, previous), ranked, total)]),
    drawTopTen(ranked, total),
    listSection(ranked.length),
    ...(input.push === undefined ? [] : [drawPush(input.push)]),
    drawVerification(input),
  ];
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stage ${stage}: VIP scores</title>
<style>${new Markup(styles)}</style>
</head>
<body>
${sections.slice(0, 1)}
<main>
${sections.slice(1)}
</main>
<script type="application/json" id="facts">${jsonBlock(facts)}</script>
<script type="text/plain" id="rows">${encodeRows(ranked)}</script>
<script type="text/plain" id="worker">${new Markup(workerScript)}</script>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`;
  return page.text;
}

/** Nothing but the page's own script and style; the worker is made from a block of the page. */
function policy(): string {
  return [
    "default-src 'none'",
    `script-src ${hashSource(pageScript)}`,
    `style-src ${hashSource(styles)}`,
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function findSection(hasProofs: boolean): Markup {
  const what = hasProofs ? "rank, share and the proof for a claim" : "rank and share";
  return markup`<section id="find" aria-labelledby="find-title">
<h2 id="find-title">Find your score</h2>
<form id="search"><label for="address">Your address, 0x… or init1…: shows its ${what}</label>
<input id="address" autocomplete="off" autocapitalize="none" spellcheck="false" required><button>Find</button></form>
<div id="result" role="status"></div>
<noscript>Searching needs JavaScript.</noscript>
</section>
`;
}

function listSection(rows: number): Markup {
  return markup`<section id="all" aria-labelledby="all-title">
<h2 id="all-title">All accounts</h2>
<div id="list" tabindex="0" role="region" aria-labelledby="all-title"><div id="height">
<table aria-rowcount="${rows + 1}"><thead><tr aria-rowindex="1"><th scope="col">Rank</th><th scope="col" class="address">Address</th><th scope="col">Score</th><th scope="col" class="share">Share</th></tr></thead><tbody id="shown"></tbody></table>
</div></div>
</section>
`;
}
