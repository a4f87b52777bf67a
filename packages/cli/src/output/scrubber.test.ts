import { expect, test } from "vitest";
import { Scrubber } from "./scrubber.ts";

test("removes keys and every secret part of a URL, in any spelling", () => {
  const scrubber = new Scrubber();
  scrubber.addSecret(`0x${"aB".repeat(32)}`);
  scrubber.addUrl("https://someone:pass%2Bword@rpc.example/v1/0123456789abcdef0123?key=tokentoken&chain=x");
  const text = [
    `key ${"ab".repeat(32)}`,
    "https://someone:pass%2Bword@rpc.example/v1/0123456789abcdef0123?key=tokentoken",
    "//someone:pass+word@rpc.example",
    "?other=1&key=tokentoken",
    "pass+word",
    Buffer.from("someone:pass+word").toString("base64"),
  ].join(" ");
  const clean = scrubber.scrub(text);
  expect(clean).not.toMatch(/abab|someone|pass|0123456789|tokentoken|c29tZW9uZ/i);
  expect(clean).toContain("rpc.example/v1/");
});

test("keeps text without secrets, and an empty secret removes nothing", () => {
  const scrubber = new Scrubber();
  scrubber.addSecret("");
  scrubber.addUrl("");
  scrubber.addUrl("http://127.0.0.1:8545");
  expect(scrubber.scrub("http://127.0.0.1:8545 refused")).toBe("http://127.0.0.1:8545 refused");
});

test("keeps words that are also a user, a password or a query's value, and removes them from URLs", () => {
  const scrubber = new Scrubber();
  scrubber.addUrl("postgres://postgres:postgres@127.0.0.1:5432/postgres");
  scrubber.addUrl("https://scores:public@rpc.example/?network=testnet");
  scrubber.addSecret("scores");
  const words = "PostgreSQL (DATABASE_URL): postgres and public networks of testnets keep scores.csv and highscores";
  expect(scrubber.scrub(words)).toBe(words);
  expect(scrubber.scrub("postgres://postgres:postgres@127.0.0.1:5432/postgres")).toBe(
    "postgres://[secret]@127.0.0.1:5432/postgres",
  );
  expect(scrubber.scrub("at https://scores:public@rpc.example/?network=testnet: no")).toBe(
    "at https://[secret]@rpc.example/?[secret]: no",
  );
  const about = (secret: string) => `the password ${secret} does not open`;
  expect(scrubber.scrub(about("scores"))).toBe(about("[secret]"));
});

test("removes given text that may be a key from errors, whole or truncated, in any form", () => {
  const scrubber = new Scrubber();
  const key = "1f2e3d4c5b6a79880".repeat(4).slice(0, 64);
  const words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
  scrubber.addGiven(`--contract=0x${key}`);
  scrubber.addGiven(words);
  const text = `"0x${key.toUpperCase()}" and ${key.slice(0, 40)}… and "${words.slice(0, 60)}"`;
  expect(scrubber.scrub(text)).toBe(text);
  scrubber.hideKeyLike();
  expect(scrubber.scrub(text)).toBe('"0x[secret]" and [secret]… and "[secret]"');
  expect(scrubber.scrub(`transaction ${"ab".repeat(32)}`)).toBe(`transaction ${"ab".repeat(32)}`);
});

test("removes all that may be a password of a given URL that cannot be read, and nothing of the text around it", () => {
  const scrubber = new Scrubber();
  scrubber.addGiven(
    '{"page":"https://forum.example.org/t/1","mail":"me@example.org"} postgres://me:pa55/w0rd#4you@db/x',
  );
  expect(scrubber.scrub("https://forum.example.org/t/1 of me@example.org")).toBe(
    "https://forum.example.org/t/1 of me@example.org",
  );
  expect(scrubber.scrub("getaddrinfo ENOTFOUND w0rd#4you")).toBe("getaddrinfo ENOTFOUND w0rd#4you");
  scrubber.addGiven("postgres://me:pa55word1/w0rd4you2@db/x");
  const text = "getaddrinfo ENOTFOUND pa55word1; /home/postgres:/me:pa55word1/w0rd4you2@db/x does not exist; w0rd4you2";
  expect(scrubber.scrub(text)).not.toMatch(/pa55|w0rd4/);
});
