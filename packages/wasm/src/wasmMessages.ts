import {
  MsgExecuteContract,
  MsgInstantiateContract2,
  MsgMigrateContract,
  MsgStoreCode,
} from "cosmjs-types/cosmwasm/wasm/v1/tx";
import type { CosmosMessage } from "@vipscore/cosmos";

/** Who calls a contract with what; accounts in bech32, the contract's message in JSON. */
interface ContractMessage {
  readonly sender: string;
  readonly contract: string;
  readonly msg: string;
}

/** Returns the message that executes a contract, without coins. */
export function msgExecuteContract({ sender, contract, msg }: ContractMessage): CosmosMessage {
  const { typeUrl } = MsgExecuteContract;
  const value = MsgExecuteContract.encode({ sender, contract, msg: Buffer.from(msg), funds: [] }).finish();
  const amino = () => ({
    type: "wasm/MsgExecuteContract",
    value: { sender, contract, msg: parseRounded(msg), funds: [] },
  });
  return { typeUrl, value, amino };
}

interface NewContract extends Omit<ContractMessage, "contract"> {
  /** Who may migrate the contract; empty for nobody. */
  readonly admin: string;
  readonly codeId: bigint;
  readonly label: string;
  readonly salt: Uint8Array;
}

/** Returns the message that creates a contract at an address that code, sender and salt determine, without coins. */
export function msgInstantiateContract2({ sender, admin, codeId, label, msg, salt }: NewContract): CosmosMessage {
  const { typeUrl } = MsgInstantiateContract2;
  const fields = { sender, admin, codeId, label, msg: Buffer.from(msg), funds: [], salt, fixMsg: false };
  const amino = () => ({
    type: "wasm/MsgInstantiateContract2",
    value: {
      sender,
      admin: admin === "" ? undefined : admin,
      code_id: codeId.toString(),
      label,
      msg: parseRounded(msg),
      funds: [],
      salt: base64(salt),
    },
  });
  return { typeUrl, value: MsgInstantiateContract2.encode(fields).finish(), amino };
}

export function msgMigrateContract({
  sender,
  contract,
  codeId,
  msg,
}: ContractMessage & { readonly codeId: bigint }): CosmosMessage {
  const { typeUrl } = MsgMigrateContract;
  const value = MsgMigrateContract.encode({ sender, contract, codeId, msg: Buffer.from(msg) }).finish();
  const amino = () => ({
    type: "wasm/MsgMigrateContract",
    value: { sender, contract, code_id: codeId.toString(), msg: parseRounded(msg) },
  });
  return { typeUrl, value, amino };
}

/** Returns the message that stores code which everybody may instantiate. */
export function msgStoreCode(sender: string, wasmByteCode: Uint8Array): CosmosMessage {
  const { typeUrl } = MsgStoreCode;
  const value = MsgStoreCode.encode(MsgStoreCode.fromPartial({ sender, wasmByteCode })).finish();
  const amino = () => ({ type: "wasm/MsgStoreCode", value: { sender, wasm_byte_code: base64(wasmByteCode) } });
  return { typeUrl, value, amino };
}

/** Rounds numbers above 2^53 as the chain's encoder of amino JSON does, which reads them as floating-point numbers. */
function parseRounded(json: string): unknown {
  return JSON.parse(json) as unknown;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
