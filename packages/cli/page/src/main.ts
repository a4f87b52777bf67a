import { parseAccount } from "@vipscore/core/values";
import { openIndexer, tokensByAccount } from "@vipscore/indexer-client";
import { checkProofs } from "@vipscore/snapshot";
import { readRollup, type Rollup } from "./rollup.ts";
import { findOpenStage, readStanding } from "./scores.ts";

const form = document.querySelector("form")!;
const input = document.querySelector<HTMLInputElement>("#address")!;
const status = document.querySelector("#status")!;
const answer = document.querySelector("#answer")!;

/** What a user asks for, each with a function that answers. */
const questions = [scoreNow, claim, tokens];

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void answerAll();
});

async function answerAll(): Promise<void> {
  status.textContent = "Reading…";
  answer.replaceChildren();
  try {
    const account = parseAccount(input.value.trim(), { accountBytes: [20, 32] });
    const rollup = await readRollup();
    // One that fails does not hide the others.
    const answers = await Promise.all(questions.map((ask) => ask(rollup, account).catch(failed)));
    for (const [title, text] of answers) show(title, text);
    status.textContent = `Account ${account}`;
  } catch (error) {
    status.textContent = messageOf(error);
  }
}

type Answer = readonly [title: string, text: string];

async function scoreNow(rollup: Rollup, account: string): Promise<Answer> {
  const stage = await findOpenStage(rollup);
  const title = `Stage ${stage}, which still counts`;
  const standing = await readStanding(rollup, stage, account);
  if (standing === undefined) return [title, "No score yet."];
  const { score, rank, accounts } = standing;
  return [title, `${score.toLocaleString()} points, rank ${rank} of ${accounts}`];
}

/** L1 takes a claim only if it has the file's root, which `vipscore snapshot` compares. */
async function claim(_rollup: Rollup, account: string): Promise<Answer> {
  const { stage, leaf, wrongCount } = await checkProofs(await fetch("/proofs.json"), { account });
  const title = `Stage ${stage}, to claim`;
  if (leaf === undefined) return [title, "No score."];
  const isProved = wrongCount === 0 ? "proved by its snapshot" : "but its proof is wrong";
  return [title, `${leaf.score.toLocaleString()} points, ${isProved}`];
}

async function tokens({ indexerUrl }: Rollup, account: string): Promise<Answer> {
  if (indexerUrl === undefined) return ["NFTs", "No indexer."];
  const { items } = await tokensByAccount(openIndexer(indexerUrl), account).page({ limit: 20 });
  const names = items.map(({ collection_name, nft }) => `${collection_name} ${nft.token_id}`);
  return ["NFTs", names.length === 0 ? "None." : names.join(", ")];
}

function failed(error: unknown): Answer {
  return ["Not available", messageOf(error)];
}

/** The first line: viem's errors go on with the whole request. */
function messageOf(error: unknown): string {
  const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
  return line;
}

function show(title: string, text: string): void {
  for (const [name, content] of [
    ["dt", title],
    ["dd", text],
  ] as const) {
    answer.append(Object.assign(document.createElement(name), { textContent: content }));
  }
}
