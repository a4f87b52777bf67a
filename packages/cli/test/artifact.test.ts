import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { nodeFileName } from "@vipscore/core/nodeFile";
import { startVipnode } from "@vipscore/localnet";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { started } from "@vipscore/testkit/started";
import { codeOf, csvOf, openTestFolder, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
beforeAll(() => chain.write("scores.csv", csvOf(5)));

test("deploy --artifact deploys another contract, which later commands recognize by its functions", async () => {
  const ours = await readFile(new URL("../../evm/artifacts/VipScore.json", import.meta.url), "utf8");
  // Of the same length, because the bytecode has it.
  const changed = contractVersion.replace(/^\d+/, (major) => "9".repeat(major.length));
  const hex = (text: string) => Buffer.from(text).toString("hex");
  await chain.write("Acme.json", ours.replaceAll(hex(contractVersion), hex(changed)));
  const features = { checkedFinalize: true, packed: true, roles: true };
  const deployed = await chain.ok(["deploy", "--artifact", "Acme.json", "--init-stage", "4"]);
  expect(deployed).toMatchObject({ version: changed, features, initStage: "4" });
  expect(await chain.ok(["status"])).toMatchObject({ version: changed, features });
  await chain.ok(["push", "scores.csv", "--stage", "4"]);
  const finalized = await chain.cli(["finalize", "--stage", "4", "--file", "scores.csv", "--yes"]);
  expect(finalized.status).toBe(0);
  // A reference contract would be warned of.
  expect(finalized.stderr).not.toMatch(/^warning/m);
});

test("deploy --artifact and its dry run refuse a file that is no artifact of the VM, and send nothing", async () => {
  await chain.write("broken.json", "{}");
  const before = await chain.transactionsSent();
  for (const more of [[], ["--dry-run"]]) {
    const refused = await chain.cli(["deploy", "--artifact", "broken.json", "--init-stage", "4", "--json", ...more]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("broken.json");
  }
  expect(await chain.transactionsSent()).toBe(before);
});

test("a row that a contract refuses ends a push and its dry run with the contract's own error, and packed calls are not advised", async () => {
  const example = "../../../contracts/evm/artifacts/examples/contracts/CappedScores.sol/CappedScores.json";
  await chain.write("Capped.json", await readFile(new URL(example, import.meta.url), "utf8"));
  await chain.ok(["deploy", "--artifact", "Capped.json", "--init-stage", "1"]);
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  // Only accounts that the contract knows are written packed.
  await chain.write("changed.csv", csvOf(5, 2000));
  expect(await chain.ok(["push", "changed.csv", "--stage", "1", "--dry-run"])).toMatchObject({
    plan: { rowsToWrite: 5, otherEntryPoint: null },
  });
  const account = `0x${"ab".repeat(20)}`;
  await chain.write("high.csv", `${csvOf(5)}${account},1000001\n`);
  const before = await chain.transactionsSent();
  const push = ["push", "high.csv", "--stage", "1", "--json"];
  for (const args of [push, [...push, "--dry-run"]]) {
    const refused = await chain.cli(args);
    const message = expect.stringMatching(
      /1,000,001 of 0x(ab){20}\b.*\bScoreAboveCap\(1, 0xabab\w*, 1000001\)/i,
    ) as string;
    expect({ status: refused.status, ...refused.json() }).toMatchObject({
      status: 3,
      error: { code: "ROW_REFUSED", message },
      refused: {
        rows: [{ row: 7, account, score: "1000001", current: null }],
        reason: expect.stringContaining("ScoreAboveCap") as string,
        rowsWritten: 0,
        rowsToWrite: 1,
      },
    });
    expect(refused.stderr).toMatch(/\bhigh\.csv:7\b/);
  }
  expect(await chain.transactionsSent()).toBe(before);

  // The same contract as if another tool had deployed it.
  const { contract } = await chain.ok(["status"]);
  const { address } = contract as { readonly address: string };
  await chain.write(".vipscore/deployments.json", "{}");
  const reasonOf = async (settings: object, more: readonly string[] = []) => {
    await chain.write("own.json", JSON.stringify({ contract: address, ...settings }));
    return (await chain.cli([...push, "--dry-run", "--config", "own.json", ...more])).json()["error"];
  };
  const named = { code: "ROW_REFUSED", message: expect.stringContaining("ScoreAboveCap(1, ") as string };
  const hints = expect.arrayContaining([expect.stringMatching(/\bartifact\b/)]) as unknown;
  const selector = expect.stringMatching(/^(?!.*0x\w{41}).*\b0x[0-9a-f]{8}\b/) as string;
  expect(await reasonOf({})).toMatchObject({ code: "ROW_REFUSED", message: selector, hints });
  expect(await reasonOf({ artifact: "Capped.json" })).toMatchObject(named);
  // The file may be about another contract than the flag.
  expect(await reasonOf({ artifact: "Capped.json" }, ["--contract", address])).not.toMatchObject(named);
  expect(await reasonOf({ artifact: "absent.json" })).toMatchObject({ code: "FILE_UNREADABLE" });
});

test.each([
  // It is compiled for no account's address, which matters only with a key.
  ["move", "vip_score.mv", 2],
  ["wasm", "vip_score.wasm", 0],
] as const)("a dry run on %s reads the artifact, with or without a key", async (vm, name, withKey) => {
  const node = await startVipnode({ vm });
  await using folder = await openTestFolder(node);
  const artifact = fileURLToPath(new URL(`../../${vm}/artifacts/${name}`, import.meta.url));
  const dryRun = ["deploy", "--init-stage", "1", "--dry-run", "--json", "--artifact"];
  expect((await folder.cli([...dryRun, artifact])).status).toBe(withKey);
  await folder.write("broken", "{}");
  expect(codeOf(await folder.cli([...dryRun, "broken"]))).toBe("INPUT_INVALID");
  const { contract } = await folder.ok(["deploy", "--init-stage", "1"]);
  const { address } = contract as { readonly address: string };
  expect(await folder.ok(["deploy", "--init-stage", "1", "--upgrade", "--dry-run"])).toMatchObject({
    upgrade: address,
  });
  // Only in the folder of a local chain the test account signs.
  await rm(nodeFileName);
  const noKey = { env: { RPC_NODE_URL: node.rpcUrl } };
  expect((await folder.cli([...dryRun, artifact], noKey)).json()).toMatchObject({ deployer: null });
  expect(codeOf(await folder.cli([...dryRun, "broken"], noKey))).toBe("INPUT_INVALID");
});

test("a dry run on Wasm warns of code whose integers wrap around", async () => {
  await using folder = await openTestFolder(await startVipnode({ vm: "wasm" }));
  const file = new URL("../../../contracts/wasm/reference_shape/artifacts/reference_shape.wasm", import.meta.url);
  const checked = await readFile(file, "latin1");
  // Code that was built without the checks has no text of an overflow.
  const wraps = Buffer.from(checked.replaceAll(" with overflow", " with overfl0w"), "latin1");
  await writeFile("wraps.wasm", wraps);
  const dryRun = await folder.cli(["deploy", "--init-stage", "1", "--dry-run", "--artifact", "wraps.wasm"]);
  expect(dryRun).toMatchObject({ status: 0, stderr: expect.stringMatching(/^warning .*\boverflow-checks = true\b/m) });
});
