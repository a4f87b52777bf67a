import { parseAccount } from "@vipscore/core/values";
import { claim, scoreNow, tokens, type Answer } from "./answers.ts";
import { readRollup } from "./rollup.ts";

const form = document.querySelector("form")!;
const input = document.querySelector<HTMLInputElement>("#address")!;
const status = document.querySelector("#status")!;
const answer = document.querySelector("#answer")!;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void answerAll();
});

/** How often was asked: answers to an earlier question are not shown. */
let asked = 0;

async function answerAll(): Promise<void> {
  asked += 1;
  const own = asked;
  status.textContent = "Reading…";
  answer.replaceChildren();
  try {
    const account = parseAccount(input.value.trim(), { accountBytes: [20, 32] });
    const rollup = await readRollup();
    // One that fails does not hide the others.
    const questions = [
      scoreNow(rollup, account),
      fetch("/proofs.json").then((proofs) => claim(proofs, account)),
      tokens(rollup, account),
    ];
    const answers = await Promise.all(questions.map((question) => question.catch(failed)));
    if (own !== asked) return;
    for (const [title, text] of answers) show(title, text);
    status.textContent = `Account ${account}`;
  } catch (error) {
    if (own === asked) status.textContent = messageOf(error);
  }
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
