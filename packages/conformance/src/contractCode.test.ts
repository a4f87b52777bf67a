import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { publishedCode, readContractCode } from "./contractCode.ts";

const folder = temporaryFolder();

const constructor = { type: "constructor", inputs: [], stateMutability: "nonpayable" };
test.each([
  ["a constructor that takes an address", [{ ...constructor, inputs: [{ name: "scores", type: "address" }] }]],
  ["a name with an escape", [{ ...constructor, type: "error", name: "\u001b[2J" }]],
])("an artifact is refused whose interface has %s", async (_, abi) => {
  await writeFile(join(folder, "Odd.json"), JSON.stringify({ abi, bytecode: "0x00" }));
  await expect(readContractCode(join(folder, "Odd.json"))).rejects.toMatchObject({
    code: "INPUT_INVALID",
    shortMessage: expect.stringContaining("Odd.json"),
  });
});

test("the build information that an artifact names is found in a folder above", async () => {
  await mkdir(join(folder, "artifacts/build-info"), { recursive: true });
  await mkdir(join(folder, "artifacts/contracts/game/A.sol"), { recursive: true });
  const file = join(folder, "artifacts/contracts/game/A.sol/A.json");
  const buildInfo = join(folder, "artifacts/build-info/solc-0_8_37-1a.json");
  await writeFile(buildInfo, "{}");
  for (const [id, found] of [
    ["solc-0_8_37-1a", buildInfo],
    ["solc-0_8_37-2b", undefined],
    ["../build-info/solc-0_8_37-1a", undefined],
  ]) {
    await writeFile(file, JSON.stringify({ abi: [constructor], bytecode: "0x00", buildInfoId: id }));
    expect((await readContractCode(file)).buildInfo).toBe(found);
  }
});

test("a Move module that is cut off is refused, and a file of 17 MiB", async () => {
  const { bytes } = await publishedCode("move");
  await writeFile(join(folder, "cut.mv"), bytes.subarray(0, bytes.length - 9));
  await expect(readContractCode(join(folder, "cut.mv"))).rejects.toMatchObject({ code: "INPUT_INVALID" });
  await writeFile(join(folder, "large.wasm"), Buffer.alloc(17 * 2 ** 20));
  await expect(readContractCode(join(folder, "large.wasm"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});

test("of a Move package's folder only its own build is read, not those of packages in it", async () => {
  const { bytes: nested } = await publishedCode("move");
  const own = Buffer.from(nested);
  own.write("vip_arena", own.indexOf("vip_score"));
  const project = join(folder, "game");
  for (const [name, code] of [
    ["build/game/bytecode_modules/arena", own],
    ["fork/build/fork/bytecode_modules/vip_score", nested],
  ] as const) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, `${name}.mv`), code);
  }
  expect(await readContractCode(project)).toMatchObject({ vm: "move", bytes: own, others: [] });
  await rm(join(project, "build"), { recursive: true });
  await expect(readContractCode(project)).rejects.toMatchObject({ code: "INPUT_INVALID" });
});
