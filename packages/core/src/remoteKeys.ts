import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex } from "@noble/hashes/utils";
import type { Account } from "./account.ts";
import { parseAccount } from "./account/readAccount.ts";
import { NodeError, VipError } from "./errors/vipError.ts";
import { parseEndpoint, type HttpEndpoint } from "./wire/endpoint.ts";
import { exchange, HttpStatusError, type HttpAnswer } from "./wire/exchange.ts";
import { retryRead } from "./wire/retryRead.ts";

/** A key that a remote signer keeps and signs with. */
export interface RemoteKey {
  /** The account of the key, as Ethereum derives it. */
  readonly account: Account;
  /** A compressed point of secp256k1, 33 bytes. */
  readonly publicKey: Uint8Array;
  /**
   * Signs the Keccak-256 hash of the data, which the signer computes itself.
   *
   * @returns r and s, 64 bytes, s in the lower half of the curve's order: checked to be this key's, of exactly this data.
   * @throws VipError `SIGNER_UNREACHABLE`, `SIGNER_FAILED`; the signal's reason when aborted.
   */
  readonly signKeccak: (data: Uint8Array) => Promise<Uint8Array>;
}

export interface RemoteKeysOptions {
  /** Most milliseconds that one request may take, and that it is repeated for. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of an answer: room for the public keys of thousands of keys. */
const maxBytes = 1_000_000;

/**
 * Asks a remote signer for its keys. It speaks web3signer's API for `eth1`, by `openapi-specs/eth1/web3signer.yaml` of
 * Consensys/web3signer and, for what that leaves open, `Eth1SignForIdentifierHandler` and `SecpArtifactSignature` there: a key is
 * named by its point without the byte 04; the signer hashes what it signs; an answer is r, s and v in hex, as plain text.
 *
 * @param url The URL of the signer; its user and password become an `Authorization` header.
 * @throws InputError `CONFIG_INVALID` if the text is not a URL; VipError `SIGNER_UNREACHABLE`, `SIGNER_FAILED`; the signal's
 * reason when aborted.
 */
export async function readRemoteKeys(url: string, options: RemoteKeysOptions = {}): Promise<readonly RemoteKey[]> {
  const endpoint = parseEndpoint(url, "remote signer's URL");
  const { json } = await ask(endpoint, "publicKeys", options);
  if (!Array.isArray(json)) throw failed(endpoint, "does not answer with a list of keys, as web3signer does for eth1");
  return json.map((name: unknown) => openKey(endpoint, name, options));
}

function openKey(endpoint: HttpEndpoint, name: unknown, options: RemoteKeysOptions): RemoteKey {
  const [, digits = ""] = /^(?:0x)?(?:04)?([\da-f]{128})$/i.exec(String(name)) ?? [];
  const point = valueOf(() => secp256k1.ProjectivePoint.fromHex(`04${digits}`));
  if (point === undefined) throw failed(endpoint, "names a key that is no public key of secp256k1");
  const publicKey = point.toRawBytes(true);
  const address = bytesToHex(keccak_256(point.toRawBytes(false).subarray(1)).subarray(-20));
  return {
    account: parseAccount(`0x${address}`, { accountBytes: [20] }),
    publicKey,
    signKeccak: async (data) => {
      const { text } = await ask(endpoint, `sign/${String(name)}`, options, data);
      const [, compact = ""] = /^\s*0x([\da-f]{128})[\da-f]{2}\s*$/i.exec(text) ?? [];
      // Chains refuse the upper half of the order, which some key stores use. Who needs v finds it by the key.
      const signature = valueOf(() => secp256k1.Signature.fromCompact(compact).normalizeS());
      if (signature === undefined) throw failed(endpoint, "does not answer with a signature", endpoint.hide(text));
      if (!secp256k1.verify(signature, keccak_256(data), publicKey)) {
        throw failed(endpoint, "signed with another key, or something else than the transaction");
      }
      return signature.toCompactRawBytes();
    },
  };
}

/** Sends one request, again while the signer or the way to it fails: the same bytes, so that a sequence never has two. */
async function ask(
  endpoint: HttpEndpoint,
  path: string,
  { timeoutMs = 30_000, signal }: RemoteKeysOptions,
  data?: Uint8Array,
): Promise<HttpAnswer> {
  const { shown, hide } = endpoint;
  const post = data && {
    method: "POST" as const,
    headers: { accept: "text/plain", "content-type": "application/json" },
    body: JSON.stringify({ data: `0x${bytesToHex(data)}` }),
  };
  const [title = ""] = path.split("/");
  const request = { title, method: "GET" as const, ...post, timeoutMs, maxBytes, signal };
  try {
    return await retryRead(
      async () => {
        const answer = await exchange(endpoint, { url: endpoint.at(`/api/v1/eth1/${path}`), ...request });
        const { status, text, retryAfterMs } = answer;
        if (status === 200) return answer;
        throw new HttpStatusError(shown, status, hide(text).slice(0, 200), { retryAfterMs });
      },
      { endpoint: shown, signal, patienceMs: timeoutMs },
    );
  } catch (error) {
    throw error instanceof NodeError ? worded(error) : error;
  }
}

/** As no error of a node: to sign again may take another sequence or fee, which is for the next run to decide. */
function worded(error: NodeError): VipError {
  const { code, shortMessage, metaMessages, details = "" } = error;
  const isDenied = error instanceof HttpStatusError && (error.status === 401 || error.status === 403);
  return new VipError(`remote signer ${shortMessage}`, {
    code: code === "NODE_UNREACHABLE" ? "SIGNER_UNREACHABLE" : "SIGNER_FAILED",
    metaMessages: isDenied ? ["Write its user and password into its URL: https://user:password@host"] : metaMessages,
    details,
    cause: error,
  });
}

function failed({ shown }: HttpEndpoint, what: string, text = ""): VipError {
  return new VipError(`remote signer ${shown} ${what}`, { code: "SIGNER_FAILED", details: text.slice(0, 200) });
}

function valueOf<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
