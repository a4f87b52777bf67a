import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { moduleAddress, ModuleBinaryError, placeModule } from "./moveArtifact.ts";
import { vipScoreModule } from "./vipScoreModule.generated.ts";

const code = Buffer.from(vipScoreModule.code, "base64");
const placeholder = Buffer.from(vipScoreModule.placeholder.slice(2), "hex");
const { occurrences } = vipScoreModule;
const address = createHash("sha256").update("any address").digest();

test("the artifact, its sha256 and the constant in the sources match", () => {
  const artifact = (name: string) => readFileSync(new URL(`../artifacts/${name}`, import.meta.url));
  expect(artifact("vip_score.mv").equals(code)).toBe(true);
  const digest = createHash("sha256").update(code).digest("hex");
  expect(artifact("vip_score.mv.sha256").toString()).toBe(`${digest}  vip_score.mv\n`);
  expect(JSON.parse(artifact("vip_score.json").toString())).toMatchObject({
    placeholder: vipScoreModule.placeholder,
    occurrences,
    bytes: code.length,
    sha256: digest,
  });
});

test("every occurrence of the placeholder is replaced, and nothing else", () => {
  const placed = placeModule(code, { placeholder, address, occurrences });
  expect(placed.length).toBe(code.length);
  expect(placed.indexOf(placeholder)).toBe(-1);
  expect(moduleAddress(placed).equals(address)).toBe(true);
  // An address identifier and a constant.
  expect(occurrences).toBe(2);
  expect(placeModule(placed, { placeholder: address, address: placeholder, occurrences }).equals(code)).toBe(true);
});

test.each<[string, () => Buffer]>([
  ["no module", () => Buffer.from("hello, world")],
  ["nothing", () => Buffer.alloc(0)],
  ["half a module", () => code.subarray(0, code.length / 2)],
  ["a module without its last byte", () => code.subarray(0, -1)],
  ["a module with the placeholder elsewhere", () => Buffer.concat([code, placeholder])],
  ["a module that already has an address", () => placeModule(code, { placeholder, address, occurrences })],
])("%s is refused", (_, make) => {
  expect(() => placeModule(make(), { placeholder, address, occurrences })).toThrow(ModuleBinaryError);
});

test("a wrong number of occurrences is refused", () => {
  const one = { placeholder, address, occurrences: occurrences - 1 };
  expect(() => placeModule(code, one)).toThrow(ModuleBinaryError);
  expect(() => placeModule(code, { ...one, occurrences: occurrences + 1 })).toThrow(ModuleBinaryError);
});

test("an address that is not 32 bytes is refused", () => {
  const short = { placeholder, address: address.subarray(12), occurrences };
  expect(() => placeModule(code, short)).toThrow(ModuleBinaryError);
});
