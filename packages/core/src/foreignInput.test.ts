// Whatever a node, a file or a person sends, a reader takes it or refuses it with a code.
import { expect, test } from "vitest";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { readText } from "../test/readText.ts";
import { parseAccount } from "./account/readAccount.ts";
import { quoteText } from "./errors/inputError.ts";
import { VipError } from "./errors/vipError.ts";
import { findRepeatedKey } from "./jsonScanner.ts";
import { formatManifest } from "./manifest/formatManifest.ts";
import { parseManifest } from "./manifest/parseManifest.ts";
import { policyDigest } from "./manifest/scoresManifest.ts";
import { parseJournal } from "./push/journalFormat.ts";
import { stage } from "./stage.ts";
import { Answer, isObject } from "./wire/answer.ts";
import { parseEndpoint } from "./wire/endpoint.ts";
import { findRpcError } from "./wire/jsonRpc.ts";
import { isBehind, isPassingText } from "./wire/retryRead.ts";

const address = "0x8cad25ec80a10522c258e2f59abf0006c9445d1b";
const endpoint = parseEndpoint("http://127.0.0.1:9", "the endpoint");

const files = [{ name: "policy.sql", bytes: 74, sha256: "3".repeat(64) }];
const sha256 = policyDigest(new Map(files.map((file) => [file.name, file])));
const manifest = formatManifest({
  stage: stage(12n),
  policy: { name: "points", version: "1", sha256, files },
  rollup: { vm: "evm", chainId: "rollup-1" },
  window: undefined,
  sources: [{ name: "points", kind: "reference", rows: 3, sha256: "5".repeat(64) }],
  versions: { vipscore: "0.1.0", duckdb: "v1.5.6" },
  scores: { file: "scores12.csv", accounts: 1, total: 6n, sha256: "6".repeat(64) },
  excluded: 1,
  chain: undefined,
  signature: undefined,
});
const journal = `{"journal":{"version":1,"vm":"evm","chainId":"1","address":"${address}","stage":"1"}}
{"run":{"at":"2026-11-21T06:06:15.640Z","digest":"${"a".repeat(64)}","rows":3}}
{"sent":{"hash":"0x01","sequence":"1","gas":"21000","rows":3,"at":"2026-11-21T06:06:15.640Z","sha256":"01ab"}}
{"settled":{"hash":"0x01","outcome":"included","height":"5"}}
`;
const tables = [
  `address,score\n${address},1\n`,
  `[{"address":"${address}","score":1},["init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6",2]]`,
  `{"address":"${address}","score":"1"}\n`,
];
const answer = `{"a":"0x1f","b":["18446744073709551615",7,true,null],"c":{"d":"AAE="},"e":"{\\"f\\":[1]}","g":"2026-11-21T06:06:15Z"}`;
const rpcError = `{"code":-32000,"message":"height 5 is not available","data":{"message":"reverted","txHash":"0x01"}}`;

/** Parses JSON; undefined for other text, which is refused before a reader sees it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const methods = [
  "text",
  "boolean",
  "integer",
  "u64",
  "quantity",
  "hexCount",
  "count",
  "hex",
  "base64",
  "json",
  "decimal",
  "unixTime",
  "isoTime",
  "list",
  "elements",
  "object",
] as const satisfies readonly (keyof Answer)[];

/** Reads every part of an answer in every way. */
function readInEveryWay(part: Answer): void {
  for (const method of methods) {
    try {
      part[method]();
    } catch (error) {
      if (!VipError.isVipError(error)) throw error;
    }
  }
}

test.each<[title: string, valid: readonly string[], read: (text: string) => unknown]>([
  ["a manifest", [manifest], (text) => parseManifest(text, "m.json")],
  [
    "an account",
    [address, "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"],
    (text) => parseAccount(text, { accountBytes: [20, 32] }),
  ],
  ["scores", tables, (text) => readText(text, { accountBytes: [20, 32] })],
  ["a journal", [journal], (text) => parseJournal(text, "journal")],
  ["keys of JSON", [answer, manifest], (text) => jsonOf(text) !== undefined && findRepeatedKey(text)],
  [
    "an answer",
    [answer, '"0x1f"'],
    (text) => {
      const value = jsonOf(text);
      readInEveryWay(new Answer({ endpoint: "http://node", title: "x" }, value));
      if (isObject(value))
        for (const name of Object.keys(value)) readInEveryWay(new Answer({ endpoint: "", title: "x" }, value[name]));
    },
  ],
  [
    "a node's error",
    [rpcError],
    (text) => {
      const value = jsonOf(text);
      if (!isObject(value)) return;
      const { message = "" } = findRpcError(endpoint, "eth_call", { error: value }) ?? {};
      expect(message.length).toBeLessThan(2_000);
    },
  ],
  [
    "a node's text",
    ["timed out", "header not found"],
    (text) => [isPassingText(text), isBehind(new VipError(text, { code: "NODE_ERROR" }))],
  ],
  ["an endpoint", ["https://user:pass@node.example:8545/v1?key=abc"], (text) => parseEndpoint(text, "the endpoint")],
  ["a value of a message", ["abc", "a".repeat(100)], (text) => expect(quoteText(text)).not.toMatch(/\p{C}/u)],
])("%s", async (_, valid, read) => {
  expect(await fuzzReader(valid, read)).toBeGreaterThan(0);
});
