import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cw721Fixture, referenceShape, scoringContract } from "../scripts/buildModule.ts";
import { checkModule } from "../scripts/checkModule.ts";

it.each([scoringContract, referenceShape, cw721Fixture])(
  "the committed module $name has the recorded sha256, and can be deployed",
  async ({ name, artifacts, sizeLimit }) => {
    const module = await readFile(join(artifacts, `${name}.wasm`));
    const sha256 = createHash("sha256").update(module).digest("hex");
    expect(await readFile(join(artifacts, `${name}.wasm.sha256`), "utf8")).toBe(`${sha256}  ${name}.wasm\n`);
    expect(await checkModule(module)).toEqual([]);
    expect(module.length).toBeLessThanOrEqual(sizeLimit ?? module.length);
  },
);

it("the description matches the committed module", async () => {
  const { artifacts } = scoringContract;
  const module = await readFile(join(artifacts, "vip_score.wasm"));
  const text = await readFile(join(artifacts, "vip_score.json"), "utf8");
  const { toolchain, ...description } = JSON.parse(text) as { toolchain: object };
  const manifest = await readFile(join(scoringContract.folder, "Cargo.toml"), "utf8");
  expect(description).toEqual({
    contract: "vipscore:vip-score",
    version: /^version = "(.+)"$/m.exec(manifest)?.[1],
    bytes: module.length,
    sha256: createHash("sha256").update(module).digest("hex"),
  });
  expect(Object.keys(toolchain)).toEqual(["rustc", "linker", "binaryen"]);
});
