import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, openTestFolder } from "./harness.ts";

const chain = started(async () => openTestFolder(await startAnvil()));
beforeAll(async () => {
  await chain.deploy(1);
  await chain.write("scores.csv", csvOf(12));
  await chain.write("push.json", JSON.stringify(await chain.ok(["push", "scores.csv", "--stage", "1"])));
  await chain.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
  await chain.write("more.csv", csvOf(15));
  await chain.ok(["push", "more.csv", "--stage", "2"]);
});

const codeOf = async (args: readonly string[]): Promise<unknown> =>
  ((await chain.cli([...args, "--json"])).json()["error"] as { readonly code: string }).code;

test("a report of a push, with proofs", async () => {
  const result = await chain.ok(["report", "--stage", "1", "--plan", "push.json", "--bridge-id", "7"]);
  const { root } = await chain.ok(["snapshot", "--stage", "1", "--bridge-id", "7"]);
  expect(result).toMatchObject({ file: "report-1.html", accounts: 12, isFinalized: true, root, l1: null });
  const page = await readFile(join(chain.cwd, "report-1.html"), "utf8");
  expect(Buffer.byteLength(page)).toBe(result["bytes"]);
  const { transactions } = JSON.parse(await readFile(join(chain.cwd, "push.json"), "utf8")) as {
    readonly transactions: readonly { readonly hash: string }[];
  };
  expect(transactions.length).toBeGreaterThan(0);
  for (const { hash } of transactions) expect(page).toContain(hash);
  expect(page).toContain(root);
  expect(await codeOf(["report", "--stage", "1"])).toBe("FILE_UNWRITABLE");
});

test("the change since another stage, without a bridge", async () => {
  const result = await chain.cli(["report", "--stage", "2", "--previous", "1", "--out", "two.html"]);
  expect(result).toMatchObject({ status: 0 });
  expect(result.stdout).toMatch(/^report .*\btwo\.html\b.*\b15 accounts\b/m);
  expect(result.stderr).toContain("--bridge-id");
  expect(await readFile(join(chain.cwd, "two.html"), "utf8")).toMatch(/<h2[^>]*>[^<]*\bstage 1</);
});

test("--previous names an earlier stage", async () => {
  for (const previous of ["2", "3"])
    expect(await codeOf(["report", "--stage", "2", "--previous", previous])).toBe("INPUT_INVALID");
  expect(await codeOf(["report", "--stage", "9", "--previous", "8"])).toBe("STAGE_NOT_FOUND");
});

test("refuses what is not a push of the stage", async () => {
  const text = await readFile(join(chain.cwd, "push.json"), "utf8");
  expect(await codeOf(["report", "--stage", "2", "--plan", "push.json"])).toBe("INPUT_INVALID");
  for (const bad of [
    "",
    "[]",
    "{}",
    text.replace('"hash":"', '"hash":1,"x":"'),
    text.replace('"gasUsed":"', '"gasUsed":"-'),
  ]) {
    await chain.write("bad.json", bad);
    const code = await codeOf(["report", "--stage", "1", "--plan", "bad.json", "--out", "x.html"]);
    expect({ bad, code }).toEqual({ bad, code: "INPUT_INVALID" });
  }
  expect(await codeOf(["report", "--stage", "1", "--plan", "absent.json", "--out", "x.html"])).toBe("FILE_UNREADABLE");
});

test("refuses the push of another contract or chain, or of other scores", async () => {
  type Push = Readonly<Record<"contract" | "file", object>> & { readonly verification: { readonly sha256: object } };
  const push = JSON.parse(await readFile(join(chain.cwd, "push.json"), "utf8")) as Push;
  const other = "1".repeat(64);
  const cases: readonly (readonly [object, string])[] = [
    [{ contract: { ...push.contract, address: addressOf(1) } }, "INPUT_INVALID"],
    [{ contract: { ...push.contract, chainId: "1" } }, "INPUT_INVALID"],
    [{ contract: { ...push.contract, vm: "wasm" } }, "INPUT_INVALID"],
    [{ contract: undefined }, "INPUT_INVALID"],
    [{ file: { ...push.file, sha256: other } }, "VERIFY_MISMATCH"],
    [
      { verification: { ...push.verification, sha256: { ...push.verification.sha256, chain: other } } },
      "VERIFY_MISMATCH",
    ],
  ];
  for (const [change, code] of cases) {
    await chain.write("other.json", JSON.stringify({ ...push, ...change }));
    const result = await chain.cli(["report", "--stage", "1", "--plan", "other.json", "--out", "x.html", "--json"]);
    const error = result.json()["error"] as unknown as { readonly code: string; readonly hints: readonly string[] };
    expect({ change, code: error.code }).toEqual({ change, code });
    if (code === "VERIFY_MISMATCH") expect(error.hints.at(-1)).toMatch(/\blast\b.*\bleave\b/);
  }
});

test("a settings file of the folder counts only if it is named", async () => {
  const name = await chain.write("vipscore.config.json", JSON.stringify({ endpoint: "http://127.0.0.1:1" }));
  try {
    await chain.ok(["report", "--stage", "1", "--out", "unnamed.html"]);
    expect(await codeOf(["report", "--stage", "1", "--out", "x.html", "--config", name])).toBe("NODE_UNREACHABLE");
    expect(await codeOf(["status"])).toBe("NODE_UNREACHABLE");
  } finally {
    await rm(join(chain.cwd, name));
  }
});

test("a push of 100,000 transactions fits, a file beyond 16 MiB does not", async () => {
  const push = JSON.parse(await readFile(join(chain.cwd, "push.json"), "utf8")) as {
    readonly transactions: readonly object[];
  };
  const transactions = Array.from({ length: 100_000 }, () => push.transactions[0]);
  await chain.write("large.json", JSON.stringify({ ...push, transactions }));
  await chain.ok(["report", "--stage", "1", "--plan", "large.json", "--out", "large.html"]);
  expect(await readFile(join(chain.cwd, "large.html"), "utf8")).toContain("100,000 transactions");
  await chain.write("larger.json", " ".repeat(16 * 2 ** 20 + 1));
  expect(await codeOf(["report", "--stage", "1", "--plan", "larger.json", "--out", "x.html"])).toBe("FILE_UNREADABLE");
});
