import { decodeAddress } from "@vipscore/indexer-client/address";
import { showAccounts } from "./accountList.ts";
import { byId } from "./elements.ts";
import type { StageFacts, WorkerAnswer, WorkerRequest } from "./messages.ts";
import { showLine, showProof, showRow } from "./showResult.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's own data, written beside this script
const facts = JSON.parse(textOf("facts")) as StageFacts;
const source = new Blob([textOf("worker")], { type: "text/javascript" });
const worker = new Worker(URL.createObjectURL(source));
let accounts = 0;
/** The address of the newest search: answers to earlier ones are dropped. */
let wanted = "";

worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => {
  if (data.kind === "opened") {
    accounts = data.scores.length;
    showAccounts(data, BigInt(facts.total));
    document.documentElement.dataset["state"] = "ready";
  } else if (data.address === wanted) {
    if (data.kind === "found") showRow(data.address, data.row, accounts, facts);
    else showProof(data.address, data.proof, facts);
  }
});
worker.addEventListener("error", () => showLine("This browser cannot read the rows of the page.", "bad"));
ask({ kind: "open", rows: textOf("rows"), facts });

byId("search", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("address", HTMLInputElement).value.trim();
  try {
    wanted = decodeAddress(text);
  } catch {
    wanted = "";
    showLine("This is not an address. Use 0x and hex digits, or init1… with a correct checksum.", "bad");
    return;
  }
  ask({ kind: "find", address: wanted });
});

function ask(request: WorkerRequest): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage(request);
}

function textOf(id: string): string {
  return byId(id, HTMLScriptElement).text;
}
