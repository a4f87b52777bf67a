import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { expect, test } from "vitest";
import { playWeb3signer, signatureOf, type Web3signerOptions } from "@vipscore/testkit/playWeb3signer";
import { script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { VipError } from "./errors/vipError.ts";
import { readRemoteKeys, type RemoteKeysOptions } from "./remoteKeys.ts";

const privateKey = Buffer.alloc(32, 0x0d);
/** The key's account in every Ethereum wallet. */
const account = addressOf(privateKey);
const data = Uint8Array.of(2, 0xc0, 255);
const timeoutMs = 300;

function addressOf(key: Uint8Array): string {
  const point = secp256k1.getPublicKey(key, false).subarray(1);
  return `0x${Buffer.from(keccak_256(point).subarray(-20)).toString("hex")}`;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

async function play(more: Partial<Web3signerOptions> = {}) {
  return playWeb3signer({ keys: [{ privateKey: hex(privateKey) }], ...more });
}

/** What signing with the first key of a signer gives: the signature, or the error. */
async function signAt(url: string, options: RemoteKeysOptions = { timeoutMs }): Promise<unknown> {
  try {
    const [key] = await readRemoteKeys(url, options);
    return key && hex(await key.signKeccak(data));
  } catch (error) {
    return VipError.isVipError(error) ? error : `not for people: ${String(error)}`;
  }
}

test("a signature is the same as the key's own in this process", async () => {
  const signer = await play();
  const [key, ...others] = await readRemoteKeys(signer.url);
  expect(others).toHaveLength(0);
  expect(key).toMatchObject({ account, publicKey: secp256k1.getPublicKey(privateKey, true) });
  expect(await signAt(signer.url)).toBe(secp256k1.sign(keccak_256(data), privateKey).toCompactHex());
  expect(signer.signed).toEqual([Buffer.from(data)]);
});

test("the key may be named with the byte 04, as some signers do", async () => {
  const point = secp256k1.getPublicKey(privateKey, false);
  const path = `/api/v1/eth1/sign/0x${hex(point)}`;
  const answers = {
    "/api/v1/eth1/publicKeys": [{ body: [`0x${hex(point)}`] }],
    [path]: [{ body: signatureOf(data, privateKey) }],
  };
  const { url } = await script(answers);
  expect(await signAt(url)).toMatch(/^[\da-f]{128}$/);
});

test("a signature in the upper half of the order, which chains refuse, comes out in the lower", async () => {
  const low = secp256k1.sign(keccak_256(data), privateKey);
  const high = new secp256k1.Signature(low.r, secp256k1.CURVE.n - low.s).toCompactHex();
  const { url } = await play({ instead: () => ({ body: `0x${high}1b` }) });
  expect(await signAt(url)).toBe(low.toCompactHex());
});

test.each<[what: string, instead: (signed: Uint8Array) => ScriptedAnswer | Uint8Array]>([
  ["another key's signature", (signed) => ({ body: signatureOf(signed, Buffer.alloc(32, 7)) })],
  ["the key's signature of something else", () => Uint8Array.of(1)],
  ["no signature", () => ({ body: "0x00" })],
  ["zeros", () => ({ body: `0x${"0".repeat(130)}` })],
  ["numbers above the order", () => ({ body: `0x${"f".repeat(128)}1b` })],
  ["nothing", () => ({ body: "" })],
  ["a web page", () => ({ body: "<html>" })],
  ["a redirect to another host", () => ({ status: 307, headers: { location: "http://127.0.0.2:9/" } })],
  ["status 204", () => ({ status: 204 })],
  ["too much", () => ({ body: "0".repeat(1_100_000) })],
])("%s is refused, and asked for once", async (_, instead) => {
  const { url, requests } = await play({ instead });
  expect(await signAt(url)).toMatchObject({ code: "SIGNER_FAILED", message: expect.stringContaining(url) as string });
  expect(requests).toHaveLength(2);
});

test("a refusal is quoted in the signer's own words, bounded", async () => {
  const { url } = await play({ instead: () => ({ status: 403, body: `policy-7${"x".repeat(9_999)}` }) });
  const error = await signAt(url);
  expect(error).toMatchObject({
    code: "SIGNER_FAILED",
    details: expect.stringMatching(/^policy-7x{1,200}$/) as string,
  });
});

test.each([[[]], [["0x00"]], [[7]], [{ keys: [] }], ["text"]])("%j is no list of keys", async (body) => {
  const { url } = await script({ "/api/v1/eth1/publicKeys": [{ body: JSON.stringify(body) }] });
  const keys = readRemoteKeys(url);
  if (Array.isArray(body) && body.length === 0) await expect(keys).resolves.toEqual([]);
  else await expect(keys).rejects.toMatchObject({ code: "SIGNER_FAILED" });
});

test("a user and a password reach the signer and no message", async () => {
  const { url } = await play({ login: "someone:secret word" });
  const withLogin = (login: string): string => url.replace("//", `//${login}@`);
  expect(await signAt(withLogin("someone:secret%20word"))).toMatch(/^[\da-f]{128}$/);
  for (const wrong of [url, withLogin("someone:verysecret")]) {
    const error = await signAt(wrong);
    expect(error).toMatchObject({ code: "SIGNER_FAILED", details: "401 Authorization Required" });
    // How to authenticate.
    expect(String(error)).toContain("401");
    expect(String(error)).toContain("user:password@");
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain("verysecret");
  }
});

test.each<[what: string, passing: ScriptedAnswer]>([
  ["status 500", { status: 500, body: "Internal Server Error" }],
  ["a connection that is cut", { instead: "cut" }],
])("after %s, the same bytes are asked for again", async (_, passing) => {
  const { url, requests } = await play({ instead: (_data, earlier) => (earlier === 1 ? passing : undefined) });
  expect(await signAt(url, { timeoutMs: 5_000 })).toMatch(/^[\da-f]{128}$/);
  const bodies = requests.slice(1).map(({ body }) => body);
  expect(bodies).toHaveLength(2);
  expect(new Set(bodies).size).toBe(1);
});

test("a silent or missing signer is unreachable, in bounded time, and no node's failure", async () => {
  const { url, requests } = await play({ instead: () => ({ instead: "silence" }) });
  const gone = await script({});
  await gone.close();
  const startedAt = performance.now();
  for (const error of await Promise.all([signAt(url), signAt(gone.url)])) {
    expect(error).toMatchObject({ code: "SIGNER_UNREACHABLE", name: "VipError" });
  }
  expect(performance.now() - startedAt).toBeLessThan(10 * timeoutMs);
  expect(requests).toHaveLength(2);
});

test("an interruption ends the wait for a signer", async () => {
  const interruption = new AbortController();
  const { url } = await play({
    instead: () => {
      interruption.abort(new Error("stopped"));
      return { instead: "silence" };
    },
  });
  expect(await signAt(url, { signal: interruption.signal })).toContain("stopped");
});
