import { scoreColumns, spellAccount, type RankedRow } from "../src/scoreColumns.ts";
import type { ProofResult, StageFacts } from "./messages.ts";

/** Replaces the result of the search by one line. */
export function showLine(text: string, className = ""): void {
  byId("result", HTMLDivElement).replaceChildren(create("p", text, className));
}

/** Shows what a search found of an account. */
export function showRow(address: string, row: RankedRow | undefined, facts: StageFacts): void {
  const result = byId("result", HTMLDivElement);
  const isScored = row !== undefined && row.score > 0n;
  if (isScored) showScore(address, row, facts);
  else {
    const what = row === undefined ? "no score" : "a score of 0, so no rank and no proof,";
    showLine(`${spellAccount(address, facts)} has ${what} in stage ${facts.stage}.`);
  }
  if (facts.bridgeId !== null && isScored) result.append(create("p", "Making the proof …", "quiet"));
}

function showScore(address: string, row: RankedRow, facts: StageFacts): void {
  const list = create("dl", "", "tiles");
  const stage = { ...facts, total: BigInt(facts.total) };
  for (const { found } of scoreColumns) {
    if (found === undefined) continue;
    const tile = create("div", "", "tile");
    const [title, text] = found;
    tile.append(create("dt", title), create("dd", text(row, stage)));
    list.append(tile);
  }
  byId("result", HTMLDivElement).replaceChildren(create("p", spellAccount(address, facts), "address"), list);
}

/** Shows the proof and the claim below the account, in place of the line that announced them. */
export function showProof(address: string, found: ProofResult, { stage, l1, claim: cost }: StageFacts): void {
  const result = byId("result", HTMLDivElement);
  result.querySelector(".quiet")?.remove();
  if ("problem" in found) {
    result.append(create("p", found.problem));
    return;
  }
  const { proof, claim } = found;
  for (const url of saved.splice(0)) URL.revokeObjectURL(url);
  if (proof !== undefined) {
    const verdict = proof.isProved
      ? "The proof leads to the snapshot root."
      : "The proof does not lead to the snapshot root.";
    result.append(create("p", verdict, proof.isProved ? "good" : "bad"));
    result.append(...fileElements("proof", proof.file, `proof-stage${stage}-${address}.json`));
  }
  if (claim === undefined) return;
  const last = cost?.lastStage ?? null;
  const pays =
    proof === undefined
      ? "It gets no reward for this stage; claim it only to go on to a later one."
      : last === stage
        ? "Of this stage it pays nothing: L1 takes no later stage of this rollup's registration, with which its reward would vest."
        : `Of this stage it pays nothing yet: it opens the vesting of its reward, and the claim of each later stage pays a part${last === null ? "" : `, until stage ${last}: L1 takes no later one, so the rest is never paid`}.`;
  const save = create("li", `Save the transaction, sign it, and send it on ${l1?.chainId ?? ""}. `);
  save.append(...fileElements("claim", claim, `claim-stage${stage}-${address}.json`));
  const steps = create("ol", "");
  steps.append(
    create(
      "li",
      "Claim earlier stages first, also those without a score: a first claim gives up all stages before it.",
    ),
    create("li", `Wait until the challenge period of stage ${stage} is over.`),
    save,
  );
  const what = create("section", "", "claim");
  what.append(create("h3", `Claim stage ${stage}`), steps);
  what.append(create("p", `It pays parts of the stages that you claimed before, if any. ${pays}`));
  result.append(what);
}

const saved: string[] = [];

/** A link that saves a file, and its text, which a reader can open and copy. */
function fileElements(name: string, content: string, file: string): readonly HTMLElement[] {
  const url = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  saved.push(url);
  const link = create("a", `Save the ${name}`);
  link.href = url;
  link.download = file;
  const details = create("details", "");
  const text = create("pre", content);
  text.tabIndex = 0;
  details.append(create("summary", `Show the ${name}`), text);
  return [link, details];
}

/** Returns the element with an ID. @throws Error if the page has none of this class. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.querySelector(`#${id}`);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${id}`);
}

/** Creates an element with a text, which is never read as markup. */
export function create<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text: string,
  className = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}
