import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as Keystore from "ox/Keystore";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { settingVariables } from "../src/settings/settings.ts";
import { startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
const { operator } = testAccounts;

/** Answers each request with 401 and the URL that it saw. */
const echo = createServer(({ url }, response) => response.writeHead(401).end(`no such key: ${url}`));
let refused: string;

beforeAll(async () => {
  await chain.deploy();
  await new Promise<void>((resolve) => {
    echo.listen(0, "127.0.0.1", resolve);
  });
  refused = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
});
afterAll(() => echo.close());

test.each([
  ["PRIVATE_KEY", `${operator.privateKey}\n`],
  ["MNEMONIC", operator.mnemonic],
  ["MNEMONIC_KEY", `${operator.mnemonic}\r\n`],
])("the file of %s_FILE has the key", async (name, text) => {
  await chain.write("key", text);
  const { signer } = await chain.ok(["status"], { env: { [`${name}_FILE`]: "key", [name]: "" } });
  expect(signer).toMatchObject({ account: operator.address.toLowerCase() });
});

test("a password keeps its spaces", async () => {
  const [key, options] = Keystore.pbkdf2({ password: " pass word ", iterations: 1 });
  await chain.write("key.json", JSON.stringify(Keystore.encrypt(operator.privateKey, key, options)));
  await chain.write("password", " pass word \n");
  const { signer } = await chain.ok(["status", "--keystore", "key.json"], {
    env: { KEYSTORE_PASSWORD_FILE: "password" },
  });
  expect(signer).toMatchObject({ account: operator.address.toLowerCase() });
});

test("an endpoint of a file is used, and its token is not shown", async () => {
  await chain.write("endpoint", `${refused}/v1/QXZJKVWQXZJKVW77\n`);
  const { status, stdout, stderr } = await chain.cli(["status", "--debug", "--json"], {
    env: { JSON_RPC_URL_FILE: "endpoint", CONTRACT_ADDRESS: operator.address },
  });
  expect({ status, stderr }).toMatchObject({ status: 4, stderr: expect.stringContaining("401") as string });
  expect(stdout + stderr).not.toContain("QXZJKVW");
});

const fileVariables = settingVariables.filter(({ kind }) => kind === "secret" || kind === "url");

test("each secret and URL can be in a file, and nothing else", async () => {
  expect(fileVariables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["PRIVATE_KEY", "MNEMONIC_KEY", "KEYSTORE_PASSWORD", "DATABASE_URL", "L1_REST_URL"]),
  );
  const others = settingVariables.filter((each) => !fileVariables.includes(each));
  await chain.ok(["status"], { env: Object.fromEntries(others.map(({ name }) => [`${name}_FILE`, "nowhere"])) });
  for (const { name } of fileVariables) {
    const file = `${name}_FILE`;
    const unread = await chain.cli(["status", "--json"], { env: { [file]: "nowhere" } });
    const message: unknown = expect.stringMatching(new RegExp(`\\bnowhere\\b.*\\b${file}\\b.*ENOENT`));
    expect(unread.json()["error"]).toMatchObject({ code: "FILE_UNREADABLE", exit: 2, message });
    const both = await chain.cli(["status", "--json"], { env: { [file]: "nowhere", [name]: "http://127.0.0.1:9" } });
    const named: unknown = expect.stringMatching(new RegExp(`\\b${name}\\b.*\\b${file}\\b`));
    expect(both.json()["error"]).toMatchObject({ code: "CONFIG_INVALID", message: named });
  }
});

test.each([
  ["a folder", "."],
  ["binary data", "binary"],
  ["more than a key", "large"],
])("%s is refused without a part of it", async (_, file) => {
  await chain.write("binary", Buffer.concat([Buffer.from(operator.privateKey), Buffer.of(0)]));
  await chain.write("large", operator.privateKey.repeat(100));
  const result = await chain.cli(["status", "--debug", "--json"], { env: { PRIVATE_KEY_FILE: file } });
  expect(result.json()["error"]).toMatchObject({ code: "FILE_UNREADABLE" });
  expect(result.stdout + result.stderr).not.toContain(operator.privateKey.slice(2, 30));
});

const key = operator.privateKey.slice(2);
test.each([
  ["in the place of its file's name", { PRIVATE_KEY_FILE: key }, "FILE_UNREADABLE"],
  ["too short", { PRIVATE_KEY_FILE: "short" }, "KEY_INVALID"],
  ["in the file of an endpoint", { VIPSCORE_ENDPOINT_FILE: "short" }, "CONFIG_INVALID"],
])("a key is not shown: %s", async (_, env, code) => {
  await chain.write("short", `${key.slice(0, -2)}\n`);
  const result = await chain.cli(["status", "--debug", "--json"], { env });
  expect(result.json()["error"]).toMatchObject({ code });
  expect(result.stdout + result.stderr).not.toContain(key.slice(0, 30));
});

test("the output hides the text of a file wherever it would hide that of the variable", async () => {
  const text = "hunter2hunter2";
  await chain.write("password", `${text}\n`);
  const shown = async (env: Record<string, string>): Promise<string> =>
    (await chain.cli(["status", "--keystore", text, "--debug"], { env })).stderr;
  expect(await shown({})).toContain(text);
  for (const env of [{ KEYSTORE_PASSWORD: text }, { KEYSTORE_PASSWORD_FILE: "password" }])
    expect(await shown(env)).not.toContain(text);
});
