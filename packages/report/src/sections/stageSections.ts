import { InputError, quoteText } from "@vipscore/core/errors";
import { count, formatTime, group } from "@vipscore/core/values";
import { markup, tiles, type Markup } from "../markup.ts";
import { countScored, readRow } from "../rankRows.ts";
import type {
  ReportBlock,
  ReportEvidence,
  ReportInput,
  ReportPush,
  ReportRow,
  ReportSnapshot,
} from "../reportInput.ts";
import { percent, scoreColumns, spellAccount, type RankedRow, type StageNumbers } from "../scoreColumns.ts";

/** Shows what the scores were made from, and how anyone can compute them again. */
export function evidenceSection(evidence: ReportEvidence): Markup {
  const { recompute, policy, window, sources, versions, sha256, excluded } = evidence;
  const rows = sources.map(
    ({ name, kind, rows: read, sha256: digest }) =>
      markup`<li>${name} (${kind}), ${count(read, "row")}, sha256 <code>${digest}</code></li>`,
  );
  const files = policy.files.map(
    ({ name, bytes, sha256: digest }) =>
      markup`<li>${name}, ${count(bytes, "byte")}, sha256 <code>${digest}</code></li>`,
  );
  return markup`<section><h2>Policy and evidence</h2>
<p>Policy “${policy.name}”, version ${policy.version}, sha256 <code>${policy.sha256}</code></p>
${window === undefined ? "" : windowLines(window)}
<p>${excluded === 0 ? "The policy excludes no account that would have a score." : `${count(excluded, "account")} that would have a score ${excluded === 1 ? "is" : "are"} excluded by the policy.`}</p>
<p>Sha256 of the scores: <code>${sha256}</code></p>
<h3>Sources</h3>
<ul>${rows}</ul>
<details><summary>${count(policy.files.length, "file")} of the policy</summary><ul>${files}</ul></details>
<p>Made by vipscore ${versions.vipscore} with DuckDB ${versions.duckdb}. Anyone who has the policy’s folder can compute the scores again:</p>
<pre tabindex="0">${recompute}</pre>
</section>`;
}

function windowLines({ first, last, from }: NonNullable<ReportEvidence["window"]>): Markup {
  const origin = from === "l1" ? "the stage on L1" : "the policy’s window";
  return markup`<p>Blocks ${group(first.height)} to ${group(last.height)}, ${timeElement(first)} to ${timeElement(last)}: ${origin}</p>
<p class="quiet">First block <code>${first.hash}</code>, last block <code>${last.hash}</code></p>`;
}

function timeElement({ time }: ReportBlock): string {
  return formatTime(new Date(time * 1000));
}

export function pushSection({ file, sha256, price, transactions, verification }: ReportPush): Markup {
  const rows = transactions.map(
    ({ hash, rows: written, height, gasUsed }) =>
      markup`<tr><td class="address">${hash}</td><td>${group(written)}</td><td>${group(height)}</td><td class="minor">${gasUsed === undefined ? "" : group(gasUsed)}</td></tr>`,
  );
  const verdict =
    verification === undefined
      ? markup`<p class="bad">The push was not verified.</p>`
      : markup`<p class="${verification.agrees ? "good" : "bad"}">${verification.agrees ? "Verified" : "Differs"} at height ${group(verification.height)}: sha256 of the chain's table <code>${verification.sha256}</code></p>`;
  const table = markup`<details><summary>${count(transactions.length, "transaction")}</summary><table><thead><tr><th scope="col" class="address">Transaction</th><th scope="col">Rows</th><th scope="col">Height</th><th scope="col" class="minor">Gas used</th></tr></thead><tbody>${rows}</tbody></table></details>`;
  return markup`<section><h2>Push</h2>
<p>File <code>${file}</code>, sha256 <code>${sha256}</code>${price === undefined ? "" : `, price ${price}`}</p>
${verdict}
${transactions.length === 0 ? markup`<p>No transactions.</p>` : table}
${transactions.some(({ gasUsed }) => gasUsed === undefined) ? markup`<p class="quiet">Gas is empty where no receipt was read: the stage itself shows that the rows are written.</p>` : ""}
</section>`;
}

/** Shows the checks: the sum of the scores, and the root against L1's. */
export function verificationSection({ total, height, snapshot }: ReportInput): Markup {
  return markup`<section><h2>Verification</h2>
<p class="good">The scores at height ${group(height)} add up to the contract's total, ${group(total)}.</p>
${snapshot === undefined ? markup`<p class="quiet">No snapshot root: the rollup's bridge ID is not known.</p>` : rootLines(snapshot)}
</section>`;
}

function rootLines({ bridgeId, root, l1 }: ReportSnapshot): Markup {
  const look = l1.status === "matches" ? "good" : ["differs", "removed"].includes(l1.status) ? "bad" : "quiet";
  return markup`<p>Snapshot root for bridge ${bridgeId}: <code>${root ?? "none, because no account has a score"}</code></p>
<p class="${look}">L1: ${l1.text}</p>`;
}

/** The title, where the scores are from, and the numbers of the stage. */
export function headSection(
  { rollup, stage, period, links = [], contract, height, isFinalized, total }: ReportInput,
  ranked: readonly RankedRow[],
): Markup {
  const ofTen = ranked.slice(0, 10).reduce((sum, { score }) => sum + score, 0n);
  const anchors = links.map(({ text, url }) => markup`<li><a href="${requireWeb(url)}">${text}</a></li>`);
  return markup`<header>
<h1>${stageTitle({ rollup, stage })}</h1>
${period === undefined ? "" : markup`<p>${formatTime(new Date(period.from * 1000))} to ${formatTime(new Date(period.to * 1000))}</p>`}
<p class="quiet">${isFinalized ? "Finalized" : "Open: scores can still change"} · chain ${contract.chainId} (${contract.vm}) · contract <code>${contract.address}</code> · height ${group(height)}</p>
${tiles([
  ["Total", group(total)],
  ["Accounts with a score", group(countScored(ranked))],
  ["Highest score", group(ranked[0]?.score ?? 0n)],
  ["Top ten have", `${percent(ofTen, total)} of the total`],
])}
${anchors.length === 0 ? "" : markup`<ul class="links">${anchors}</ul>`}
</header>`;
}

/** The title of the page. */
export function stageTitle({ rollup, stage }: Pick<ReportInput, "rollup" | "stage">): string {
  return rollup === undefined ? `Stage ${stage}: VIP scores` : `${rollup}, stage ${stage}: VIP scores`;
}

/** A link must not run a script. @throws InputError `INPUT_INVALID`. */
function requireWeb(url: string): string {
  if (/^https?:\/\//i.test(url)) return url;
  throw new InputError(`the link ${quoteText(url)} is not http or https`);
}

export function findSection(hasProofs: boolean): Markup {
  const what = hasProofs ? "rank, share and proof" : "rank and share";
  return markup`<section id="find" aria-labelledby="find-title">
<h2 id="find-title">Find your score</h2>
<form id="search"><label for="address">Enter an address (0x… or init1…) to see its ${what}</label>
<input id="address" autocomplete="off" autocapitalize="none" spellcheck="false" required><button>Find</button></form>
<div id="result" role="status"></div>
<noscript>Searching needs JavaScript.</noscript>
</section>`;
}

export function topSection(ranked: readonly RankedRow[], stage: StageNumbers): Markup {
  const { scored } = stage;
  const rows = ranked.slice(0, Math.min(10, scored)).map((row) => {
    const cells = scoreColumns.map(({ look, text }) => markup`<td${classOf(look)}>${text(row, stage)}</td>`);
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<section id="top"><h2>Top ten</h2>
${rows.length === 0 ? markup`<p>No account has a score.</p>` : markup`<table>${scoreHead}<tbody>${rows}</tbody></table>`}
</section>`;
}

/** The list of all accounts, which the page's script fills. */
export function listSection(rows: number): Markup {
  return markup`<section id="all">
<h2 id="all-title">All accounts</h2>
<p class="quiet" id="where"></p>
<div id="list" tabindex="0" role="region" aria-labelledby="all-title"><div id="height">
<table id="table" aria-rowcount="${rows + 1}">${scoreHead}<tbody id="shown"></tbody></table>
</div></div>
</section>`;
}

const titles = scoreColumns.map(({ look, title }) => markup`<th scope="col"${classOf(look)}>${title}</th>`);
const scoreHead = markup`<thead><tr aria-rowindex="1">${titles}</tr></thead>`;

function classOf(look: string): Markup | "" {
  return look === "" ? "" : markup` class="${look}"`;
}

/** The change since an earlier stage: its numbers, and the accounts that changed the most. */
export function changeSection(
  previous: NonNullable<ReportInput["previous"]>,
  ranked: readonly RankedRow[],
  stage: StageNumbers,
): Markup {
  const { previousTotal, previousAccounts, movers, ...counts } = compareStages(ranked, previous.rows);
  const { added, removed, higher, lower, unchanged } = counts;
  const table = markup`<h3>Largest changes</h3>
<table><thead><tr><th scope="col" class="address">Address</th><th scope="col" class="minor">Stage ${previous.stage}</th><th scope="col" class="minor">Score</th><th scope="col">Change</th></tr></thead><tbody>${movers.map((mover) => moverRow(mover, stage))}</tbody></table>`;
  return markup`<section><h2>Change since stage ${previous.stage}</h2>
${tiles([
  ["Total", formatDifference(stage.total - previousTotal)],
  ["Accounts with a score", formatDifference(BigInt(countScored(ranked) - previousAccounts))],
  ["New", group(added)],
  ["No longer scored", group(removed)],
  ["Higher", group(higher)],
  ["Lower", group(lower)],
  ["Unchanged", group(unchanged)],
])}
${movers.length === 0 ? markup`<p>Every score is the same.</p>` : table}
</section>`;
}

function moverRow({ account, before, after }: Mover, stage: StageNumbers): Markup {
  const what = before === 0n ? "new" : after === 0n ? "gone" : "";
  return markup`<tr><td class="address">${spellAccount(account, stage)}</td><td class="minor">${group(before)}</td><td class="minor">${group(after)}</td><td>${formatDifference(after - before)} <span class="tag quiet">${what}</span></td></tr>`;
}

/** Differences of a stage's scores from an earlier one's. An account counts in a stage if its score is above 0. */
interface StageChange {
  readonly previousTotal: bigint;
  readonly previousAccounts: number;
  readonly added: number;
  readonly removed: number;
  readonly higher: number;
  readonly lower: number;
  readonly unchanged: number;
  /** The accounts whose score changed the most, in either direction; the largest change first. */
  readonly movers: readonly Mover[];
}

interface Mover {
  readonly account: string;
  /** 0 if the account is new. */
  readonly before: bigint;
  /** 0 if the account no longer has a score. */
  readonly after: bigint;
}

const maxMovers = 10;

export function compareStages(ranked: readonly RankedRow[], previous: Iterable<ReportRow>): StageChange {
  const before = new Map<string, bigint>();
  let previousTotal = 0n;
  for (const row of previous) {
    const { account, score } = readRow(row);
    if (score > 0n) before.set(account, score);
    previousTotal += score;
  }
  const previousAccounts = before.size;
  const counts = { added: 0, higher: 0, lower: 0, unchanged: 0 };
  const movers: Mover[] = [];
  for (const { account, score: after } of ranked) {
    if (after === 0n) continue;
    const score = before.get(account) ?? 0n;
    before.delete(account);
    counts[classifyChange(score, after)] += 1;
    if (score !== after) movers.push({ account, before: score, after });
  }
  // What is left in the map has no score any more.
  for (const [account, score] of before) movers.push({ account, before: score, after: 0n });
  return {
    previousTotal,
    previousAccounts,
    removed: before.size,
    ...counts,
    movers: movers.sort(largestFirst).slice(0, maxMovers),
  };
}

function classifyChange(before: bigint, after: bigint): "added" | "higher" | "lower" | "unchanged" {
  if (before === 0n) return "added";
  if (before === after) return "unchanged";
  return after > before ? "higher" : "lower";
}

function largestFirst(one: Mover, other: Mover): number {
  const [first, second] = [sizeOf(one), sizeOf(other)];
  if (first !== second) return first > second ? -1 : 1;
  return one.account < other.account ? -1 : 1;
}

function sizeOf({ before, after }: Mover): bigint {
  return after > before ? after - before : before - after;
}

/** Formats a difference with its sign: `+1,200`, `−3`, `0`. */
function formatDifference(value: bigint): string {
  if (value === 0n) return "0";
  return value > 0n ? `+${group(value)}` : `−${group(-value)}`;
}
