import { expect, test } from "vitest";
import { parseEndpoint, redactUrl } from "./endpoint.ts";

test.each([
  ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
  ["http://127.0.0.1:8545/", "http://127.0.0.1:8545"],
  ["https://user:secret@rpc.example.org/", "https://rpc.example.org"],
  ["https://rpc.example.org/evm", "https://rpc.example.org/…"],
  ["https://rpc.example.org/v3/0123456789abcdef", "https://rpc.example.org/…"],
  ["https://rpc.example.org/0123456789abcdef0123456789abcdef", "https://rpc.example.org/…"],
  ["https://rpc.example.org/0123456789abcdef0123456789abcdef/evm", "https://rpc.example.org/…"],
  ["https://rpc.example.org/evm?key=secret#secret", "https://rpc.example.org/…"],
  ["postgres://user:secret@127.0.0.1:5432/scores?key=secret", "postgres://127.0.0.1:5432/…"],
])("%s is shown as %s", (url, shown) => {
  expect(redactUrl(new URL(url))).toBe(shown);
});

test.each([
  ["tcp://127.0.0.1:26657", "http://127.0.0.1:26657"],
  ["TCP://localhost:26657/rpc", "http://localhost:26657/rpc"],
])("%s is %s", (text, shown) => {
  expect(parseEndpoint(text, "RPC URL").at("").href.replace(/\/$/, "")).toBe(shown);
});

test("tokens are removed from a text", () => {
  const { hide } = parseEndpoint(
    "https://user:p%40ssword@rpc.example.org/v3/0123456789abcdef?key=fedcba9876543210",
    "RPC URL",
  );
  const about = (key: string, project: string, password: string) =>
    `key ${key} of project ${project} is wrong, password ${password} too, at rpc.example.org/v3`;
  expect(hide(about("fedcba9876543210", "0123456789abcdef", "p@ssword"))).toBe(about("…", "…", "…"));
  expect(hide("harmless")).toBe("harmless");
});

test("a path is appended to the endpoint's; the query is kept, the user removed", () => {
  const { at, headers } = parseEndpoint("https://user:p%40ss@rpc.example.org/v1/?key=abc#part", "REST URL");
  expect(at("").href).toBe("https://rpc.example.org/v1/?key=abc");
  expect(at("/cosmos/tx", { page: "1 2" }).href).toBe("https://rpc.example.org/v1/cosmos/tx?key=abc&page=1+2");
  expect(headers).toMatchObject({ authorization: `Basic ${Buffer.from("user:p@ss").toString("base64")}` });
});

test.each(["", "127.0.0.1:1317", "ftp://example.org", "ws://127.0.0.1:26657", "0x0123456789abcdef"])(
  "%s is not an endpoint URL",
  (text) => {
    expect(() => parseEndpoint(text, "REST URL of L1")).toThrowError(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        shortMessage: expect.stringContaining("REST URL of L1"),
      }),
    );
  },
);

test.each([
  ['"https://node.example"', "quotes"],
  ["wss://node.example", "WebSockets"],
  ["localhost:26657", "scheme"],
  ["node.example:443/rpc", "scheme"],
  ["node.example/v1", "scheme"],
])("%s is refused with what to write", (text, hint) => {
  const metaMessages: unknown = [expect.stringContaining(hint)];
  expect(() => parseEndpoint(text, "RPC URL")).toThrowError(
    expect.objectContaining({ code: "CONFIG_INVALID", metaMessages }),
  );
});

test.each([
  "https://user:12/34@node.example",
  "https://user:12#34@node.example",
  "https://user:12?34@node.example/v1",
  "https://user:12\\34@node.example",
  "https://user:pass/word@node.example",
  "https://user:100%@node.example",
  "https://pass@word/x@node.example",
])("%s is refused, because its password may end the host: percent-encode it", (text) => {
  const metaMessages: unknown = [expect.stringContaining("%2F")];
  expect(() => parseEndpoint(text, "RPC URL")).toThrowError(
    expect.objectContaining({ code: "CONFIG_INVALID", metaMessages }),
  );
});

test("a fragment and a query without a name are removed from a text", () => {
  const { hide } = parseEndpoint("https://rpc.example.org/?fedcba9876543210#0123456789abcdef", "RPC URL");
  expect(hide("fedcba9876543210 0123456789abcdef apikey")).toBe("… … apikey");
});
