import { expect, test } from "vitest";
import { Scrubber } from "./scrubber.ts";

test("keys and every secret part of a URL are taken out, in any spelling", () => {
  const scrubber = new Scrubber();
  scrubber.addSecret(`0x${"aB".repeat(32)}`);
  scrubber.addUrl("https://someone:pass%2Bword@rpc.example/v1/0123456789abcdef0123?key=tokentoken&chain=x");
  const text = [
    `key ${"ab".repeat(32)}`,
    "https://someone:pass%2Bword@rpc.example/v1/0123456789abcdef0123?key=tokentoken",
    "pass+word",
    Buffer.from("someone:pass+word").toString("base64"),
  ].join(" ");
  const clean = scrubber.scrub(text);
  expect(clean).not.toMatch(/abab|someone|pass|0123456789|tokentoken|c29tZW9uZ/i);
  expect(clean).toContain("rpc.example/v1/");
});

test("text without secrets stays, and an empty secret takes nothing out", () => {
  const scrubber = new Scrubber();
  scrubber.addSecret("");
  scrubber.addUrl("");
  scrubber.addUrl("http://127.0.0.1:8545");
  expect(scrubber.scrub("http://127.0.0.1:8545 refused")).toBe("http://127.0.0.1:8545 refused");
});
