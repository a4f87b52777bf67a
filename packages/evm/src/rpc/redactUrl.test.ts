import { expect, test } from "vitest";
import { redactText, redactUrl } from "./redactUrl.ts";

test.each([
  ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
  ["http://127.0.0.1:8545/", "http://127.0.0.1:8545"],
  ["https://user:secret@rpc.example.org/", "https://rpc.example.org"],
  ["https://rpc.example.org/evm", "https://rpc.example.org/evm"],
  ["https://rpc.example.org/v3/0123456789abcdef", "https://rpc.example.org/v3/…"],
  ["https://rpc.example.org/0123456789abcdef0123456789abcdef", "https://rpc.example.org/…"],
  ["https://rpc.example.org/0123456789abcdef0123456789abcdef/evm", "https://rpc.example.org/…"],
  ["https://rpc.example.org/evm?key=secret#secret", "https://rpc.example.org/evm"],
])("%s is shown as %s", (url, shown) => {
  expect(redactUrl(new URL(url))).toBe(shown);
});

test("a text that repeats a token is shown without it", () => {
  const url = new URL("https://user:p%40ssword@rpc.example.org/v3/0123456789abcdef?key=fedcba9876543210");
  const text =
    "key fedcba9876543210 of project 0123456789abcdef is wrong, password p@ssword too, at rpc.example.org/v3";
  expect(redactText(text, url)).toBe("key … of project … is wrong, password … too, at rpc.example.org/v3");
  expect(redactText("nothing to hide", url)).toBe("nothing to hide");
});
