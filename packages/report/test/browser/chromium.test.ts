import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatBech32, formatChecksummed, parseAccount } from "@vipscore/core";
import { buildSnapshot, verifyProof } from "@vipscore/snapshot";
import { renderReport, type ReportRow } from "../../src/index.ts";
import { openReport, type OpenReport } from "./openReport.ts";
import { known as sample, sampleReport } from "./sampleReport.ts";

const hostile = `<script id="hostile">alert(1)</script>"'&\u202e`;
const count = 100_000;
const known = { account: "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475", score: 2n ** 60n };
const long = { account: `0x${"ab".repeat(32)}`, score: 2n ** 59n };
const rows: readonly ReportRow[] = [
  ...Array.from({ length: count - 2 }, (_, index) => ({
    account: `0x${(0x1d8e31d5071bb407n + BigInt(index) * 0x9e3779b97f4a7c15n).toString(16).padStart(40, "0")}`,
    score: BigInt(index % 5000),
  })),
  long,
  known,
];
const total = rows.reduce((sum, { score }) => sum + score, 0n);
const snapshot = buildSnapshot({ bridgeId: 7n, stage: 12n, rows, total });
const claimed = { chainId: hostile, vipAddress: "0x1", version: 2n };

let report: OpenReport;
beforeAll(async () => {
  const html = renderReport({
    stage: 12n,
    contract: { vm: "move", chainId: hostile, address: "0x1" },
    height: 481_231n,
    isFinalized: true,
    total,
    rows,
    snapshot: {
      bridgeId: 7n,
      root: snapshot.root,
      l1: { status: "matches", text: `matches ${hostile}` },
      target: claimed,
    },
    previous: { stage: 11n, rows: rows.slice(1000).map(({ account }) => ({ account, score: 9n })) },
    push: {
      file: hostile,
      sha256: "3f2a",
      price: `0.0712 ${hostile}`,
      transactions: [{ hash: hostile, rows: 9n, height: 5n, gasUsed: 6n }],
      verification: undefined,
    },
  });
  report = await openReport(html);
  console.log(`Chromium ${report.page.context().browser()?.version() ?? ""}, ${Buffer.byteLength(html)} bytes`);
});
afterAll(() => report[Symbol.asyncDispose]());

async function search(text: string): Promise<void> {
  await report.page.fill("#address", text);
  await report.page.press("#address", "Enter");
}

/** Waits for a result of the search: a proof that leads to the root is good, an address that cannot be read is bad. */
const result = (look: "good" | "bad"): Promise<void> => report.page.locator(`#result .${look}`).waitFor();
const resultText = (): Promise<string> => report.page.locator("#result").innerText();

test("an account is found in any spelling", async () => {
  const account = parseAccount(known.account, { accountBytes: [20] });
  const spellings = [
    known.account,
    formatChecksummed(account),
    ` ${formatBech32(account)} `,
    formatBech32(account).toUpperCase(),
    `0x${"0".repeat(24)}${known.account.slice(2)}`,
  ];
  for (const spelling of spellings) {
    await search("nothing");
    await result("bad");
    await search(spelling);
    await result("good");
    expect(await resultText(), `for ${spelling}`).toMatch(/\b1 of 99,980\b[^]*\b1,152,921,504,606,846,976\b/);
  }
  await search(long.account);
  await expect.poll(resultText).toContain("2 of 99,980");
  const [first = known] = rows;
  await search(first.account);
  await expect.poll(resultText).toMatch(new RegExp(`^${first.account} .*\\b0\\b.*\\bstage 12\\b`));
  await search("1234");
  await result("bad");
  const absent = `0x${"e".repeat(40)}`;
  await search(absent);
  await expect.poll(resultText).toMatch(new RegExp(`^${absent} (?!.*\\b0\\b).*\\bstage 12\\b`));
});

test("the page's proof verifies", async () => {
  await search(long.account);
  await result("good");
  const file = JSON.parse((await report.page.locator("#result pre").textContent()) ?? "") as {
    readonly root: string;
    readonly l1: unknown;
    readonly leaves: readonly { readonly address: string; readonly score: string; readonly proof: readonly string[] }[];
  };
  const { proof = [], address: account = "", score = "" } = file.leaves[0] ?? {};
  expect(file.root).toBe(snapshot.root);
  expect(file.l1).toEqual({ ...claimed, version: "2" });
  expect(account).toBe(long.account);
  const { root = "" } = snapshot;
  expect(verifyProof({ bridgeId: 7n, stage: 12n, account, score: BigInt(score), total, proof, root })).toBe(true);
});

test("the proof is saved as a file", async () => {
  const { page } = report;
  await search(long.account);
  await result("good");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#result a").click()]);
  expect(download.suggestedFilename()).toBe(`proof-stage12-${long.account}.json`);
  expect(await readFile(await download.path(), "utf8")).toBe(await page.locator("#result pre").textContent());
});

test("a scroll step changes the list's own lines alone", async () => {
  const { page } = report;
  const changed = await page.evaluate(async () => {
    const lines = new Set<Node>();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) lines.add(target);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    const list = document.querySelector("#list");
    if (list !== null) list.scrollTop = list.scrollHeight / 2;
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let frames = 0; frames < 100 && lines.size === 0; frames += 1) await frame();
    observer.disconnect();
    list?.scrollTo(0, 0);
    return lines.size;
  });
  // Four cells in each of twelve lines, of 100,000, and the line that says which.
  expect(changed).toBe(49);
});

test("a click on an account of the list finds it", async () => {
  const { page } = report;
  await page.locator("#shown button").nth(1).click();
  await result("good");
  expect(await resultText()).toContain(long.account);
});

test("the list has few rows in the document, and reaches the last account", async () => {
  const { page } = report;
  await expect.poll(() => page.locator("#where").innerText()).toMatch(/^1 to 12 of 100,000\b/);
  const lines = page.locator("#shown tr");
  expect(await lines.count()).toBe(12);
  await expect.poll(() => lines.first().innerText()).toContain(known.account);
  await page.locator("#list").press("End");
  await expect.poll(() => lines.last().getAttribute("aria-rowindex")).toBe(`${count + 1}`);
  expect(await lines.count()).toBe(12);
  await page.locator("#list").press("Home");
  await expect.poll(() => lines.first().getAttribute("aria-rowindex")).toBe("2");
});

test("hostile text is shown as text", async () => {
  const { page } = report;
  expect(await page.locator("#hostile").count()).toBe(0);
  expect(await page.locator("script").count()).toBe(4);
  expect(await page.locator("header").innerText()).toContain(hostile.replace("\u202e", "\ufffd"));
});

test("no request leaves the page", async () => {
  expect(report.requests.filter((url) => !/^(file|blob):/.test(url))).toEqual([]);
  expect(report.complaints).toEqual([]);
  // Not even a script in the page could send one.
  const refused = await report.page.evaluate(() => fetch("http://127.0.0.1:9/").then(String, String));
  expect(refused).toContain("Failed to fetch");
  expect(report.complaints.join("\n")).toContain("Content Security Policy");
});

test("the policy lets no text become code", async () => {
  // In a timer, because what the test evaluates itself is exempt.
  const refused = await report.page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        setTimeout(() => {
          try {
            resolve(String(Reflect.construct(Function, ["return 1"])));
          } catch (error) {
            resolve(String(error));
          }
        });
      }),
  );
  expect(refused).toMatch(/^EvalError/);
});

test("a browser without WebAssembly makes proofs, too", async () => {
  const html = sampleReport();
  const refused = html.replace("&#39;wasm-unsafe-eval&#39;", "");
  expect(refused).not.toBe(html);
  await using plain = await openReport(refused);
  await plain.page.fill("#address", sample.account);
  await plain.page.press("#address", "Enter");
  await plain.page.locator("#result .good").waitFor();
  const compiled = await plain.page
    .workers()[0]
    ?.evaluate(() => WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(() => "compiled", String));
  expect(compiled).toMatch(/^CompileError/);
});

test("a claim pays the fee of the report; one with a gas price of zero pays nothing", async () => {
  const html = sampleReport();
  const free = html.replace(/"fee":\{[^}]*\}/, '"fee":null');
  expect(free).not.toBe(html);
  for (const [text, amount] of [
    [html, [{ denom: "uinit", amount: "15750" }]],
    [free, []],
  ] as const) {
    await using claims = await openReport(text);
    await claims.page.fill("#address", sample.account);
    await claims.page.press("#address", "Enter");
    const shown = await claims.page.locator("#result .claim pre").textContent();
    expect(JSON.parse(shown ?? "")).toMatchObject({ auth_info: { fee: { amount, gas_limit: "1050000" } } });
  }
});

test("a claim of an account without a score promises nothing", async () => {
  await using claims = await openReport(sampleReport());
  for (const [account, isPaid] of [
    [sample.account, true],
    [`0x${"e".repeat(40)}`, false],
  ] as const) {
    await claims.page.fill("#address", account);
    await claims.page.press("#address", "Enter");
    await expect.poll(() => claims.page.locator("#result").innerText()).toContain(account);
    const about = await claims.page.locator("#result .claim").innerText();
    expect({ account, isPaid: about.includes("vesting") }).toEqual({ account, isPaid });
  }
});

test.each([
  ["another root", (html: string): string => html.replaceAll(/"root":"[0-9a-f]{64}"/g, `"root":"${"0".repeat(64)}"`)],
  ["another total", (html: string): string => html.replace(/"total":"\d+"/, '"total":"1"')],
] as const)("a page changed to %s makes no proof", async (_, change) => {
  const html = sampleReport();
  expect(change(html)).not.toBe(html);
  await using changed = await openReport(change(html));
  await changed.page.fill("#address", sample.account);
  await changed.page.press("#address", "Enter");
  // Neither a verdict nor the line that announces the proof.
  await changed.page.locator("#result > p:not([class])").waitFor();
  expect(await changed.page.locator("#result .good, #result .bad, #result a").count()).toBe(0);
});

test.each(["light", "dark"] as const)("375 pixels need no horizontal scrolling, %s", async (colorScheme) => {
  const { page } = report;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
});

test("on a Wasm rollup the page writes accounts as its chain does", async () => {
  const account = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
  const contract = { vm: "wasm", chainId: "miniwasm-2", address: "init1x" } as const;
  await using wasm = await openReport(
    renderReport({
      stage: 2n,
      contract,
      height: 1n,
      isFinalized: true,
      total: 5n,
      rows: [{ account, score: 5n }],
      previous: { stage: 1n, rows: [] },
    }),
  );
  const written = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
  expect(await wasm.page.locator("#shown td.address").first().textContent()).toBe(written);
  await wasm.page.fill("#address", account);
  await wasm.page.press("#address", "Enter");
  expect(await wasm.page.locator("#result .address").textContent()).toBe(written);
  const addresses = await wasm.page.locator("td.address").allTextContents();
  expect(new Set(addresses)).toEqual(new Set([written]));
});
