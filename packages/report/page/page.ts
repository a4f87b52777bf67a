import { decodeAddress } from "@vipscore/indexer-client/address";
import { showAccounts } from "./accountList.ts";
import type { StageFacts, WorkerAnswer, WorkerRequest } from "./messages.ts";
import { byId, showLine, showProof, showRow } from "./showResult.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's own data, written beside this script
const facts = JSON.parse(textOf("facts")) as StageFacts;
const source = new Blob([textOf("worker")], { type: "text/javascript" });
const worker = new Worker(URL.createObjectURL(source));
/** The address of the newest search: answers to earlier ones are dropped. */
let wanted = "";

worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => {
  if (data.kind === "opened") {
    showAccounts(data, { ...facts, total: BigInt(facts.total) }, (address) => {
      byId("address", HTMLInputElement).value = address;
      byId("search", HTMLFormElement).requestSubmit();
      byId("find", HTMLElement).scrollIntoView();
    });
    document.documentElement.dataset["state"] = "ready";
  } else if (data.address === wanted) {
    if (data.kind === "found") showRow(data.address, data.row, facts);
    else showProof(data.address, data.proof, facts);
  }
});
worker.addEventListener("error", () => showLine("This browser cannot read the rows of the page.", "bad"));
ask({ kind: "open", rows: textOf("rows"), facts });

byId("search", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  wanted = readAddress(byId("address", HTMLInputElement).value.trim());
  if (wanted !== "") ask({ kind: "find", address: wanted });
  else showLine("This is not an address. Use 0x and 40 or 64 hex digits, or init1… with a correct checksum.", "bad");
});

/** Returns 0x and hex; an empty text if it is not an address. */
function readAddress(text: string): string {
  try {
    return decodeAddress(text);
  } catch {
    return "";
  }
}

function ask(request: WorkerRequest): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage(request);
}

function textOf(id: string): string {
  return byId(id, HTMLScriptElement).text;
}
