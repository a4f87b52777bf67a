// The leaderboard of a scoring contract. It asks the API that serves it, again and again: answers that have not changed cost a 304.

import type { AccountClaims, AccountInStage, RankedScore, ScoreStage } from "@vipscore/indexer-client/scores";

/** `/status`, as far as it is shown. */
interface Status {
  readonly scores?: {
    readonly height: number;
    /** Null if the server has no L1 endpoint. */
    readonly l1: object | null;
  };
}

interface Stages {
  readonly contract?: { readonly chain_id: string; readonly address: string };
  readonly stages: readonly ScoreStage[];
}

interface Page {
  readonly accounts: readonly RankedScore[];
  readonly pagination: { readonly next_key: string | null };
}

/** Milliseconds between two looks. */
const lookEveryMs = 3_000;
const rowsPerPage = 50;

/** The stage that is shown; empty for the newest. */
let wanted = "";
let shownRows = rowsPerPage;
/** The account of the search; empty without one. */
let searched = "";
/** What the search shows, so that the same is not shown again: a reader may be in it. */
let shownAccount = "";
/** Counts the looks, so that an answer to an earlier one is dropped. */
let looks = 0;

byId("stages", HTMLSelectElement).addEventListener("change", ({ target }) => {
  wanted = target instanceof HTMLSelectElement ? target.value : "";
  shownRows = rowsPerPage;
  void look();
});
byId("more", HTMLButtonElement).addEventListener("click", () => {
  shownRows += rowsPerPage;
  void look();
});
byId("search", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  searched = byId("address", HTMLInputElement).value.trim();
  shownAccount = "";
  void look();
});
byId("rows", HTMLTableSectionElement).addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  byId("address", HTMLInputElement).value = target.textContent;
  byId("search", HTMLFormElement).requestSubmit();
  byId("find", HTMLElement).scrollIntoView();
});
void lookAgain();

async function lookAgain(): Promise<void> {
  await look();
  setTimeout(() => void lookAgain(), lookEveryMs);
}

/** Reads and shows everything. */
async function look(): Promise<void> {
  looks += 1;
  const current = looks;
  try {
    const [{ stages, contract }, { scores }] = await Promise.all([
      read<Stages>("scores/v1/stages"),
      read<Status>("status"),
    ]);
    const stage = stages.find((each) => each.stage === wanted) ?? stages[0];
    if (stage === undefined) throw new Error("No stage is indexed yet.");
    const rows = await readRows(stage.stage);
    if (current !== looks) return;
    showStages(stages, stage);
    const state = stage.is_finalized ? "Finalized" : "Open: scores can still change";
    say(
      "status",
      `${state}. Last change in block ${group(stage.height)}, followed to block ${group(scores?.height ?? 0)}.`,
    );
    say("contract", contract === undefined ? "" : `Contract ${contract.address} on chain ${contract.chain_id}`);
    byId("rows", HTMLTableSectionElement).replaceChildren(...rows.map((row) => lineOf(row, true)));
    byId("more", HTMLButtonElement).hidden = rows.length >= stage.accounts;
    say("where", `${group(rows.length)} of ${group(stage.accounts)} accounts`);
    const hasL1 = (scores?.l1 ?? null) !== null;
    if (searched !== "") await showAccount(searched, stage, { hasL1, isCurrent: () => current === looks });
  } catch (error) {
    if (current === looks) say("status", error instanceof Error ? error.message : String(error));
  }
}

async function readRows(stage: string): Promise<readonly RankedScore[]> {
  const rows: RankedScore[] = [];
  for (let key: string | null = ""; key !== null && rows.length < shownRows;) {
    const limit = Math.min(1_000, shownRows - rows.length);
    const query = new URLSearchParams({ "pagination.limit": String(limit), ...(key && { "pagination.key": key }) });
    const page: Page = await read<Page>(`scores/v1/stages/${stage}/accounts?${query}`);
    rows.push(...page.accounts);
    key = page.pagination.next_key;
  }
  return rows;
}

async function showAccount(
  account: string,
  { stage }: ScoreStage,
  { hasL1, isCurrent }: { readonly hasL1: boolean; readonly isCurrent: () => boolean },
): Promise<void> {
  const result = byId("result", HTMLDivElement);
  const path = encodeURIComponent(account);
  try {
    const [found, { stages }, claims] = await Promise.all([
      read<AccountInStage>(`scores/v1/stages/${stage}/accounts/${path}`),
      read<{ readonly stages: readonly (ScoreStage & RankedScore)[] }>(`scores/v1/accounts/${path}`),
      hasL1 ? read<AccountClaims>(`scores/v1/accounts/${path}/claims`) : undefined,
    ]);
    const text = JSON.stringify([found, stages, claims]);
    if (!isCurrent() || text === shownAccount) return;
    shownAccount = text;
    const { rank, score, share, above, below } = found;
    const near = create("table", "");
    near.ariaLabel = "Neighbors";
    near.append(...[...above, found, ...below].map((row) => lineOf(row, false, row === found)));
    result.replaceChildren(
      create("p", found.account, "address"),
      tiles([
        ["Rank", rank === null ? "none" : group(rank)],
        ["Score", group(score)],
        ["Share", percent(share)],
      ]),
      ...(rank === null ? [] : [create("h3", "Neighbors"), near]),
      ...(stages.length > 1 ? [plotOf(stages.toReversed())] : []),
      ...(claims === undefined ? [] : claimElements(found.account, claims)),
    );
  } catch (error) {
    shownAccount = "";
    if (isCurrent()) result.replaceChildren(create("p", error instanceof Error ? error.message : "", "bad"));
  }
}

/** What an account can claim, and how. */
function claimElements(account: string, { l1, registrations }: AccountClaims): readonly HTMLElement[] {
  for (const url of saved.splice(0)) URL.revokeObjectURL(url);
  return registrations.flatMap(({ version, claim, waits_for: reason }) => {
    const later = reason === null ? [] : [create("p", `Not yet: ${reason}.`, "quiet")];
    const title = create("h3", `Claim on ${l1.chain_id}${registrations.length > 1 ? `, version ${version}` : ""}`);
    if (claim === null) return [title, ...(later.length > 0 ? later : [create("p", "Nothing to claim.")])];
    const { stages, pays, loses, opens, never_paid: never } = claim;
    const amounts: readonly (readonly [string, string])[] = [
      ["Stages", stages.join(", ")],
      ["Pays now", `${group(pays)} ${l1.denom}`],
      ["Opens for later claims", `${group(opens)} ${l1.denom}`],
      ...(loses === "0" ? [] : [["Loses for good", `${group(loses)} ${l1.denom}`] as const]),
      ...(never === "0" ? [] : [["Is never paid", `${group(never)} ${l1.denom}`] as const]),
    ];
    const content = JSON.stringify(claim.transaction, undefined, 2);
    const url = URL.createObjectURL(new Blob([content], { type: "application/json" }));
    saved.push(url);
    const link = create("a", "Save the transaction");
    link.href = url;
    link.download = `claim-${account}.json`;
    const details = create("details", "");
    const text = create("pre", content);
    text.tabIndex = 0;
    details.append(create("summary", "Show the transaction"), text);
    const how = create("p", `Sign the transaction with the account's key and send it on ${l1.chain_id}. `);
    how.append(link);
    return [title, tiles(amounts), how, details, ...later];
  });
}

const saved: string[] = [];

/** Bars of an account's scores, the oldest stage first. */
function plotOf(stages: readonly (ScoreStage & RankedScore)[]): HTMLElement {
  const figure = create("figure", "");
  const [width, height] = [600, 60];
  const highest = stages.reduce((most, { score }) => (BigInt(score) > most ? BigInt(score) : most), 1n);
  const svg = createSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "plot-title" });
  const title = createSvg("title", { id: "plot-title" });
  title.textContent = `Scores in ${stages.length} stages: ${stages.map(({ stage, score }) => `${group(score)} in stage ${stage}`).join(", ")}`;
  svg.append(title);
  const step = width / stages.length;
  for (const [at, { score }] of stages.entries()) {
    const bar = (Number(BigInt(score)) / Number(highest)) * (height - 4);
    const place = {
      x: String(at * step + 1),
      y: String(height - bar),
      width: String(Math.max(1, step - 2)),
      height: String(bar),
    };
    svg.append(createSvg("rect", { class: "bar", ...place }));
  }
  const [first, last] = [stages[0]?.stage ?? "", stages.at(-1)?.stage ?? ""];
  figure.append(svg, create("figcaption", `Score by stage, ${first} to ${last}`));
  return figure;
}

function showStages(stages: readonly ScoreStage[], shown: ScoreStage): void {
  const select = byId("stages", HTMLSelectElement);
  const options = stages.map(({ stage }) => new Option(`Stage ${stage}`, stage, false, stage === shown.stage));
  if ([...select.options].map(({ value }) => value).join() !== stages.map(({ stage }) => stage).join())
    select.replaceChildren(...options);
  const facts = byId("facts", HTMLDivElement);
  facts.replaceChildren(
    tiles([
      ["Accounts", group(shown.accounts)],
      ["Total", group(shown.total)],
    ]),
  );
}

function lineOf({ rank, account, score, share }: RankedScore, isButton: boolean, isBold = false): HTMLTableRowElement {
  const line = create("tr", "");
  const address = create("td", isButton ? "" : account, "address");
  if (isButton) address.append(create("button", account));
  line.append(create(isBold ? "th" : "td", rank === null ? "" : group(rank)), address);
  line.append(create("td", group(score)), create("td", percent(share), "minor"));
  return line;
}

function tiles(values: readonly (readonly [name: string, value: string])[]): HTMLElement {
  const list = create("dl", "", "tiles");
  for (const [name, value] of values) {
    const tile = create("div", "", "tile");
    tile.append(create("dt", name), create("dd", value));
    list.append(tile);
  }
  return list;
}

/** @throws Error with the API's text. */
async function read<T>(path: string): Promise<T> {
  // Also what the server calls final: on a local chain that was started again it is not.
  const answer = await fetch(path, { cache: "no-cache" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answers of the server that serves this page
  if (answer.ok) return (await answer.json()) as T;
  throw new Error(await answer.text());
}

function group(number: string | number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(3)} %`;
}

/** Changes a text only if it is another, so that a screen reader does not repeat it. */
function say(id: string, text: string): void {
  const element = byId(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
}

function byId<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const element = document.querySelector(`#${id}`);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${id}`);
}

function create<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text: string,
  className = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}

function createSvg(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  if (!(element instanceof SVGElement)) throw new Error(`${name} is no element of SVG`);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
