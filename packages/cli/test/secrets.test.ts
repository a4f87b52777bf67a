import * as Keystore from "ox/Keystore";
import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { allOutput, csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
let contract: string;
const { deployer, operator } = testAccounts;

/** The scrypt example of the Web3 Secret Storage Definition, version 3: its password and key are public. */
const keystorePassword = "testpassword";
const keystoreKey = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const scryptKeystore = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19",
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  },
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  version: 3,
};
const keystoreAddress = "0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b";

/** The same key and password, with few rounds so that tests are fast. */
function lightKeystore(): string {
  const [key, options] = Keystore.pbkdf2({ password: keystorePassword, iterations: 1000 });
  return JSON.stringify(Keystore.encrypt(`0x${keystoreKey}`, key, options));
}

beforeAll(async () => {
  contract = await chain.deploy();
  await chain.write("scores.csv", csvOf(2));
  await chain.write("scrypt.json", JSON.stringify(scryptKeystore));
  await chain.write("key.json", lightKeystore());
});

test.each([
  ["--private-key", deployer.privateKey],
  [`--private-key=${deployer.privateKey}`, "--debug"],
  ["--mnemonic", deployer.mnemonic],
  ["--password=hunter2hunter2", "--debug"],
])("%s is refused with advice, without the value", async (...flags) => {
  const result = await chain.cli(["push", "scores.csv", "--stage", "1", ...flags, "--json"]);
  expect(result.json()["error"]).toMatchObject({ code: "KEY_INVALID", exit: 2 });
  expect(result.stderr).toContain("PRIVATE_KEY");
});

test("a key after a mistyped flag is not repeated", async () => {
  const result = await chain.cli(["push", "scores.csv", "--stage", "1", `--privatkey=${deployer.privateKey}`]);
  expect(result.status).toBe(2);
  expect(result.stderr).toContain("[INPUT_INVALID, exit 2]");
  // The flag is named, the key is not.
  expect(result.stderr).toContain("--privatkey");
  expect(result.stderr).not.toContain(deployer.privateKey.slice(2));
});

test.each([
  ["too short", deployer.privateKey.slice(0, -2)],
  ["words", deployer.mnemonic],
  ["zero", "0".repeat(64)],
])("an invalid PRIVATE_KEY (%s): KEY_INVALID", async (_name, key) => {
  const result = await chain.cli(["push", "scores.csv", "--stage", "1", "--debug", "--json"], {
    env: { PRIVATE_KEY: key },
  });
  expect(result.json()["error"]).toMatchObject({ code: "KEY_INVALID", exit: 2 });
  expect(result.stdout + result.stderr).not.toContain(key);
});

test.each([
  ["PRIVATE_KEY", `"${deployer.privateKey}"`],
  ["MNEMONIC", `'${deployer.mnemonic}'`],
  ["MNEMONIC_KEY", `"${deployer.mnemonic}"`],
])("quotes around %s are named", async (name, value) => {
  const result = await chain.cli(["push", "scores.csv", "--stage", "1", "--json"], { env: { [name]: value } });
  expect(result.json()["error"]).toMatchObject({ code: "KEY_INVALID", hints: [expect.stringContaining("quotes")] });
});

test("a keystore with another PRF, or the key of another address, is refused with what is wrong", async () => {
  const file = JSON.parse(lightKeystore()) as { readonly crypto: { readonly kdfparams: object } };
  const otherPrf = { ...file, crypto: { ...file.crypto, kdfparams: { ...file.crypto.kdfparams, prf: "hmac-sha512" } } };
  await chain.write("prf.json", JSON.stringify(otherPrf));
  await chain.write("address.json", JSON.stringify({ ...file, address: deployer.address.slice(2) }));
  for (const [name, named] of [
    ["prf.json", "hmac-sha512"],
    ["address.json", deployer.address.toLowerCase()],
  ] as const) {
    const env = { KEYSTORE_PASSWORD: keystorePassword };
    const result = await chain.cli(["status", "--keystore", name, "--json"], { env });
    const message: unknown = expect.stringMatching(new RegExp(`${name}.*${named}`, "i"));
    expect(result.json()["error"]).toMatchObject({ code: "KEY_INVALID", exit: 2, message });
  }
});

test.each(["key.json", "scrypt.json"])(
  "%s signs with the password from the environment, and overrides PRIVATE_KEY",
  async (file) => {
    const env = { KEYSTORE_PASSWORD: keystorePassword, PRIVATE_KEY: operator.privateKey };
    const result = await chain.cli(["status", "--keystore", file, "--json"], { env });
    expect(result.json()["signer"]).toMatchObject({ account: keystoreAddress.toLowerCase(), isMember: false });
  },
);

test("prompts for a keystore's password on a terminal and does not echo it", async () => {
  const result = await chain.cli(["status", "--keystore", "key.json"], { typed: `${keystorePassword}\n` });
  expect(result.status).toBe(0);
  expect(result.stderr).toMatch(/\bkey\.json: \n/);
  expect(result.stdout).toContain(keystoreAddress);
  expect(result.stderr).not.toContain(keystorePassword);
});

test("a keystore with a wrong password, without one, or an invalid keystore: KEY_INVALID", async () => {
  await chain.write("none.json", '{"version":3}');
  for (const [file, env] of [
    ["key.json", { KEYSTORE_PASSWORD: "wrong password" }],
    ["key.json", {}],
    ["none.json", { KEYSTORE_PASSWORD: keystorePassword }],
    ["scores.csv", { KEYSTORE_PASSWORD: keystorePassword }],
  ] as const) {
    const result = await chain.cli(["status", "--keystore", file, "--debug", "--json"], { env });
    expect(result.json()["error"]).toMatchObject({ code: "KEY_INVALID", exit: 2 });
  }
  const missing = await chain.cli(["status", "--keystore", "nowhere.json", "--json"]);
  expect(missing.json()["error"]).toMatchObject({ code: "FILE_UNREADABLE" });
});

test("no output shows a key, a password or a URL's credentials, even with --debug", async () => {
  const withCredentials = (port: string) =>
    `http://someuser:somepassword@127.0.0.1:${port}/v1/path-token-0123456789abcdef?apikey=querytoken99`;
  const alive = withCredentials(new URL(chain.node.rpcUrl).port);
  const key = { PRIVATE_KEY: deployer.privateKey, KEYSTORE_PASSWORD: keystorePassword };
  await chain.write("vipscore.config.json", JSON.stringify({ endpoint: alive }));
  await chain.cli(["status", "--contract", contract, "--debug", "--json"], { env: key });
  await chain.cli(["status", "--contract", contract, "--debug"], {
    env: { ...key, JSON_RPC_URL: withCredentials("9") },
  });
  await chain.cli(["push", "scores.csv", "--stage", "1", "--debug", "--endpoint", alive, "--contract", contract], {
    env: key,
  });
  await chain.cli(["push", "scores.csv", "--stage", "7", "--debug", "--endpoint", alive, "--contract", contract], {
    env: key,
  });
  await chain.cli(["status", "--endpoint", "ftp://someuser:somepassword@host", "--contract", contract, "--debug"], {
    env: key,
  });
  await chain.write("vipscore.config.json", "{}");
  const everything = allOutput.join("\n").toLowerCase();
  expect(everything).toContain("node_unreachable");
  const secrets = [deployer, operator].flatMap(({ privateKey, mnemonic }) => [privateKey.slice(2), mnemonic]);
  secrets.push(keystoreKey, keystorePassword, "hunter2hunter2", "somepassword", "someuser", "querytoken99");
  secrets.push("path-token-0123456789abcdef");
  expect(secrets.filter((secret) => everything.includes(secret.toLowerCase()))).toEqual([]);
});
