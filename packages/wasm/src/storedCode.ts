import { NodeError, type ReadOptions } from "@vipscore/core";
import { runDeployStep, reportUnchanged } from "@vipscore/core/cosmos";
import { queryChain, type JsonRpc } from "@vipscore/core/wire";
import {
  QueryCodeRequest,
  QueryCodeResponse,
  QueryCodesRequest,
  QueryCodesResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { MsgStoreCode } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { AccessType } from "cosmjs-types/cosmwasm/wasm/v1/types";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { DeployContext, DeployStep } from "./deploySteps.ts";
import { eventValue } from "./eventValue.ts";

/**
 * Upper bounds of the gas of storing code: each byte of the transaction costs 10, each byte of the code 3 to compile (wasmd
 * 0.55, `x/wasm/types/gas_register.go`) and less than 1 to unpack. Measured: 2,527,553 for 375,783 bytes packed to 132,148.
 */
const storeBaseGas = 150_000n;
const packedByteGas = 10n;
const codeByteGas = 4n;

/** Codes of one page, and the pages that are searched: newer codes first. A code beyond them is stored once more. */
const pageCodes = 100n;
const mostPages = 50;

/** A contract's code. */
export interface ContractCode {
  readonly bytes: Buffer;
  /** sha256 of the bytes, by which the chain knows them too. */
  readonly checksum: Buffer;
}

/** The contract of this package. */
export async function readContractCode(): Promise<ContractCode> {
  // The same place beside the sources and beside what is built from them.
  const bytes = await readFile(new URL("../artifacts/vip_score.wasm", import.meta.url));
  return { bytes, checksum: createHash("sha256").update(bytes).digest() };
}

/** True if this is the code that the chain keeps under an id. */
export function hasChecksum(
  comet: JsonRpc,
  codeId: bigint,
  { checksum }: ContractCode,
  options: ReadOptions,
): Promise<boolean> {
  const code = {
    path: "/cosmwasm.wasm.v1.Query/Code",
    request: QueryCodeRequest.encode({ codeId }).finish(),
    decode: (value: Uint8Array) => {
      const { codeInfo } = QueryCodeResponse.decode(value);
      return codeInfo !== undefined && checksum.equals(codeInfo.dataHash);
    },
  };
  return queryChain(comet, code, options);
}

/** The id of a code that the chain has already and that the account may instantiate; undefined where there is none. */
export async function findStoredCode(
  comet: JsonRpc,
  { checksum }: ContractCode,
  sender: string,
  options: ReadOptions,
): Promise<bigint | undefined> {
  let key: Uint8Array = new Uint8Array();
  for (let page = 0; page < mostPages; page += 1) {
    const pagination = { key, offset: 0n, limit: pageCodes, countTotal: false, reverse: true };
    const codes = {
      path: "/cosmwasm.wasm.v1.Query/Codes",
      request: QueryCodesRequest.encode({ pagination }).finish(),
      decode: (value: Uint8Array) => QueryCodesResponse.decode(value),
    };
    const answer = await queryChain(comet, codes, options);
    const found = answer.codeInfos.find(({ dataHash, instantiatePermission: allowed }) => {
      if (allowed === undefined || !checksum.equals(dataHash)) return false;
      return allowed.permission === AccessType.ACCESS_TYPE_EVERYBODY || allowed.addresses.includes(sender);
    });
    if (found !== undefined) return found.codeId;
    key = answer.pagination?.nextKey ?? new Uint8Array();
    if (key.length === 0) return undefined;
  }
  return undefined;
}

/** The step that stores a code. It is sent packed, which chains with CosmWasm take and which halves the gas. */
export function planStore(sender: string, { bytes }: ContractCode): DeployStep {
  const packed = gzipSync(bytes, { level: 9 });
  const value = MsgStoreCode.encode(MsgStoreCode.fromPartial({ sender, wasmByteCode: packed })).finish();
  return {
    subject: { step: "store" },
    message: { typeUrl: MsgStoreCode.typeUrl, value },
    gas: storeBaseGas + packedByteGas * BigInt(packed.length) + codeByteGas * BigInt(bytes.length),
  };
}

/** The id that a code got, from the events of the transaction that stored it. */
export async function readCodeId(
  comet: JsonRpc,
  { checksum }: ContractCode,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  const stored = await eventValue(comet, hash, { type: "store_code", key: "code_checksum" }, signal);
  const id = await eventValue(comet, hash, { type: "store_code", key: "code_id" }, signal);
  if (stored === checksum.toString("hex") && /^[1-9]\d{0,19}$/.test(id)) return BigInt(id);
  throw new NodeError(`${comet.endpoint} stored another code than it was given`, {
    code: "NODE_BAD_RESPONSE",
    details: `code ${id}, checksum ${stored}`.slice(0, 200),
  });
}

/** The id of the code, which is stored where the chain does not have it in the state that the options name. */
export async function storeCode(
  comet: JsonRpc,
  context: DeployContext,
  code: ContractCode,
  options: ReadOptions,
): Promise<bigint> {
  const { address: sender } = context.signer.account;
  const found = await findStoredCode(comet, code, sender, options);
  if (found !== undefined) {
    reportUnchanged(context, { step: "store", codeId: found });
    return found;
  }
  const { codeId } = await runDeployStep(context, planStore(sender, code), async ({ hash }) => ({
    codeId: await readCodeId(comet, code, hash, context.signal),
  }));
  if (codeId === undefined) throw new Error("a code that was stored has an id");
  return codeId;
}
