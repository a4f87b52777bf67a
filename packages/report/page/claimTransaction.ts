import { bech32 } from "@scure/base";
import type { StageFacts } from "./messages.ts";

/** What an account claims: its leaf, or a score of 0 and an empty proof. */
export interface ClaimedLeaf {
  /** `0x` and 40 or 64 hex digits. */
  readonly account: string;
  readonly score: bigint;
  readonly proof: readonly string[];
}

/**
 * Returns the transaction that claims a stage, without signatures, as `vipscore claim` writes it; undefined if it is not known
 * where and at which price the stage is claimed. Its arguments are in Binary Canonical Serialization
 * (https://github.com/diem/bcs).
 */
export function claimTransaction(
  { bridgeId, stage, l1, claim }: StageFacts,
  { account, score, proof }: ClaimedLeaf,
): string | undefined {
  if (bridgeId === null || l1 === null || claim === null) return undefined;
  const hashes = proof.map((hash) => [hash.length / 2, ...bytesOf(hash)]);
  const args = [u64(bridgeId), u64(l1.version), listOf([u64(stage)]), listOf([listOf(hashes)]), listOf([u64(score)])];
  const message = {
    "@type": "/initia.move.v1.MsgExecute",
    sender: bech32.encode("init", bech32.toWords(bytesOf(account.slice(2)))),
    module_address: l1.vipAddress,
    module_name: "vip",
    function_name: "batch_claim_user_reward_script",
    type_args: [],
    args: args.map((bytes) => btoa(String.fromCharCode(...bytes))),
  };
  const amount = claim.fee === null ? [] : [claim.fee];
  const transaction = {
    body: {
      messages: [message],
      memo: "",
      timeout_height: "0",
      extension_options: [],
      non_critical_extension_options: [],
    },
    auth_info: { signer_infos: [], fee: { amount, gas_limit: claim.gas, payer: "", granter: "" }, tip: null },
    signatures: [],
  };
  return `${JSON.stringify(transaction, undefined, 2)}\n`;
}

/** Eight bytes, the lowest first. */
function u64(value: bigint | string): readonly number[] {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(value), true);
  return [...new Uint8Array(bytes.buffer)];
}

/** The number of values, which is below 128, and the values. */
function listOf(values: readonly (readonly number[])[]): readonly number[] {
  return [values.length, ...values.flat()];
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}
