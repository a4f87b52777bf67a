import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { privateKeyOf, type AccountKey } from "@vipscore/core/keys";
import { script, type ScriptedAnswer, type ScriptedServer, type SeenRequest } from "./scriptedServer.ts";

/** What a played signer has and does. */
export interface Web3signerOptions {
  readonly keys: readonly AccountKey[];
  /** User and password that a proxy in front of it asks for, `user:password`. Default: none. */
  readonly login?: string;
  /** Returns what it answers to a request to sign instead; undefined for the answer, or that to other data. */
  readonly instead?: (data: Uint8Array, earlier: number) => Instead | Promise<Instead>;
}

type Instead = ScriptedAnswer | Uint8Array | undefined;

export interface PlayedWeb3signer extends ScriptedServer {
  /** What it signed, in order. */
  readonly signed: readonly Buffer[];
}

const text = { "content-type": "text/plain; charset=utf-8" };
const noRoute = { status: 404, body: "<html><body><h1>Resource not found</h1></body></html>" };

/**
 * Plays web3signer in its mode eth1, strictly: it refuses what the real one does not take. Statuses and bodies are those of the
 * real one (Consensys/web3signer, `Eth1SignForIdentifierHandler`, `PublicKeysListHandler`, and Vert.x below them).
 */
export async function playWeb3signer({ keys, login, instead }: Web3signerOptions): Promise<PlayedWeb3signer> {
  const privateKeys = new Map(keys.map((key) => [pointOf(privateKeyOf(key)), privateKeyOf(key)]));
  const signed: Buffer[] = [];
  const basic = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
  const server = await script(async (request, earlier): Promise<ScriptedAnswer> => {
    const { method, path, headers } = request;
    if (basic !== headers["authorization"]) return { status: 401, body: "401 Authorization Required" };
    if (path === "/api/v1/eth1/publicKeys") {
      if (method !== "GET") return { status: 405, body: "" };
      if (!/application\/json|\*\/\*/.test(headers["accept"] ?? "*/*")) return { status: 406, body: "" };
      return { headers: { "content-type": "application/json; charset=utf-8" }, body: [...privateKeys.keys()] };
    }
    const [, name = ""] = /^\/api\/v1\/eth1\/sign\/([^/]+)$/.exec(path) ?? [];
    if (name === "") return noRoute;
    if (method !== "POST") return { status: 405, body: "" };
    const data = dataOf(request);
    if (data === undefined) return { status: 400, body: "Bad Request" };
    const privateKey = privateKeys.get(name.toLowerCase());
    if (privateKey === undefined) return { status: 404, body: "Not Found" };
    const other = await instead?.(data, earlier.length);
    if (other !== undefined && !(other instanceof Uint8Array)) return other;
    signed.push(data);
    return { headers: text, body: signatureOf(other ?? data, privateKey) };
  });
  return { ...server, signed };
}

/** A key's name: `0x`, and its point without the byte 04. */
function pointOf(privateKey: Uint8Array): string {
  return `0x${Buffer.from(secp256k1.getPublicKey(privateKey, false).subarray(1)).toString("hex")}`;
}

/** The answer to a request to sign: r, s and v. */
export function signatureOf(data: Uint8Array, privateKey: Uint8Array): string {
  const signature = secp256k1.sign(keccak_256(data), privateKey, { lowS: true });
  return `0x${signature.toCompactHex()}${(27 + signature.recovery).toString(16)}`;
}

function dataOf({ headers, body }: SeenRequest): Buffer | undefined {
  // Vert.x would read it as a form.
  if (headers["content-type"] !== "application/json") return undefined;
  try {
    const { data } = JSON.parse(body) as { readonly data?: unknown };
    return typeof data === "string" && /^0x([\da-f]{2})+$/i.test(data) ? Buffer.from(data.slice(2), "hex") : undefined;
  } catch {
    return undefined;
  }
}
