import { gzipSync } from "node:zlib";
import {
  QueryCodeRequest,
  QueryCodeResponse,
  QueryCodesRequest,
  QueryCodesResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { AccessType } from "cosmjs-types/cosmwasm/wasm/v1/types";
import { NodeError, VipError, type ReadOptions } from "@vipscore/core";
import {
  lastingAnswer,
  reportUnchanged,
  runDeployStep,
  type DeployStep,
  type StepOutcome,
} from "@vipscore/core/engine";
import { patienceMs, queryChain, type JsonRpc } from "@vipscore/core/wire";
import type { CosmosMessage } from "@vipscore/cosmos";
import type { WasmDeployContext } from "./deployedState.ts";
import { eventValue } from "./eventValue.ts";
import type { ContractCode } from "./wasmArtifact.ts";
import { msgStoreCode } from "./wasmMessages.ts";

/**
 * Upper bounds of the gas of storing code: each byte of the transaction costs 10, each byte of the code 3 to compile (wasmd
 * 0.55, `x/wasm/types/gas_register.go`) and less than 1 to unzip. Measured: 2,527,553 for 375,783 bytes zipped to 132,148.
 */
const storeBaseGas = 150_000n;
const packedByteGas = 10n;
const codeByteGas = 4n;

/** Codes per page, and most pages to search, newest codes first. A code beyond them is stored again. */
const pageCodes = 100n;
const maxPages = 50;

/** True if this is the code with an id on the chain. */
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

/** Finds the id of the code on the chain if the account may instantiate it; undefined if there is none. */
export async function findStoredCode(
  comet: JsonRpc,
  { checksum }: ContractCode,
  sender: string,
  options: ReadOptions,
): Promise<bigint | undefined> {
  let key: Uint8Array = new Uint8Array();
  for (let page = 0; page < maxPages; page += 1) {
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

/** Plans the step that stores a code. It is gzipped, which CosmWasm chains accept and which halves the gas. */
export function planStore(sender: string, { bytes }: ContractCode): DeployStep<CosmosMessage> {
  const packed = gzipSync(bytes, { level: 9 });
  return {
    subject: { step: "store" },
    message: msgStoreCode(sender, packed),
    gas: storeBaseGas + packedByteGas * BigInt(packed.length) + codeByteGas * BigInt(bytes.length),
  };
}

/** Reads the id of a code from the events of the transaction that stored it. */
export async function readCodeId(
  comet: JsonRpc,
  { checksum }: ContractCode,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  const stored = await eventValue(comet, hash, { type: "store_code", key: "code_checksum" }, signal);
  const id = await eventValue(comet, hash, { type: "store_code", key: "code_id" }, signal);
  if (stored === checksum.toString("hex") && /^[1-9]\d{0,19}$/.test(id)) return BigInt(id);
  throw new NodeError(`${comet.endpoint} stored a different code than it was sent`, {
    code: "NODE_BAD_RESPONSE",
    details: `code ${id}, checksum ${stored}`.slice(0, 200),
  });
}

/**
 * Simulates an instantiation of stored code, before a contract gets it: the code of a game that calls a scoring contract has
 * the published messages too. A node that lags does not have the code, and refuses as the code does.
 *
 * @throws VipError `INPUT_INVALID` if the code refuses.
 */
export async function requireInstantiable(
  { account: { account: from }, simulate, signal }: WasmDeployContext,
  message: CosmosMessage,
): Promise<void> {
  const forMs = patienceMs.behind;
  const tried = await lastingAnswer(() => simulate(message, { from, signal }), { signal, forMs });
  if (tried.state !== "refused") return;
  throw new VipError(`the code cannot be instantiated as a scoring contract: ${tried.details}`, {
    code: "INPUT_INVALID",
    metaMessages: [
      "A scoring contract is instantiated with allow_list and init_stage; a game, which calls one, by its own script.",
      "The code is on the chain. No contract was created or changed.",
    ],
  });
}

/**
 * Returns the id of the code, after storing it if the chain does not have it in the state that the options select.
 *
 * @throws VipError `INPUT_INVALID` for code that the chain refuses, before anything is sent.
 */
export async function storeCode(
  comet: JsonRpc,
  context: WasmDeployContext,
  code: ContractCode,
  options: ReadOptions,
): Promise<bigint> {
  const {
    account: { address: sender, account: from },
    signal,
  } = context;
  const found = await findStoredCode(comet, code, sender, options);
  if (found !== undefined) {
    reportUnchanged(context, { step: "store", codeId: found });
    return found;
  }
  const learn = ({ hash }: StepOutcome) => readCodeId(comet, code, hash, signal);
  const step = planStore(sender, code);
  const tried = await lastingAnswer(() => context.simulate(step.message, { from, signal }), { signal });
  if (tried.state === "refused") {
    throw new VipError(`the chain refuses to store the code: ${tried.details}`, {
      code: tried.code ?? "INPUT_INVALID",
      metaMessages: [
        "If it names a feature such as bulk memory, build for WebAssembly 1.0 with wasm-opt, as the script `optimize` of the example does.",
        "Nothing was sent.",
      ],
    });
  }
  const { codeId } = await runDeployStep(context, step, { learn });
  if (codeId === undefined) throw new Error("a stored code must have an id");
  return codeId;
}
