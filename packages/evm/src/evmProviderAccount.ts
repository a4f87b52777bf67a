import {
  getAddress,
  isHex,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type Address,
  type TransactionSerializableEIP1559,
} from "viem";
import { InputError, VipError } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import type { EvmAccount } from "./evmAccount.ts";
import { requestOf, type EvmProvider } from "./openRpc.ts";

/**
 * Creates the account of a wallet that signs through EIP-1193: its first account. The wallet has to answer `eth_signTransaction`, as
 * signing services and development nodes do. One that only sends, such as MetaMask, cannot sign here: the hash of a transaction
 * is in the journal before the transaction leaves. The wallet may change the fees and the gas, and nothing else.
 *
 * @throws InputError `KEY_INVALID` if the wallet shows no account. When it signs, VipError `DEVICE_REFUSED` if the person at it
 * refuses, `DEVICE_FAILED` for any other failure.
 * @example
 * const account = await evmProviderAccount(provider);
 */
export async function evmProviderAccount(provider: EvmProvider): Promise<EvmAccount> {
  const accounts = await requestFromProvider(provider, "eth_accounts", []);
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first !== "string" || !isHex(first)) {
    throw new InputError("the wallet shows no account", {
      code: "KEY_INVALID",
      metaMessages: ["Allow this application to see one, with eth_requestAccounts."],
    });
  }
  const address = getAddress(first);
  return {
    address,
    signTransaction: async (transaction) => {
      const answer = await requestFromProvider(provider, "eth_signTransaction", [request(address, transaction)]);
      // geth wraps the transaction.
      const signed = isObject(answer) ? answer["raw"] : answer;
      if (isEip1559(signed) && (await isSigned(signed, address, transaction))) return signed;
      throw new VipError("the wallet signed with another key, or another transaction", {
        code: "DEVICE_FAILED",
        metaMessages: ["The transaction was not sent."],
      });
    },
  };
}

/** Returns an account as it is, and the account of a wallet. */
export function accountOf(signer: EvmAccount | EvmProvider): EvmAccount | Promise<EvmAccount> {
  // A client of viem has both.
  return "request" in signer ? evmProviderAccount(signer) : signer;
}

function request(from: Address, transaction: TransactionSerializableEIP1559): object {
  const { chainId, nonce = 0, to, data, gas = 0n, value = 0n, ...fees } = transaction;
  return {
    from,
    type: "0x2",
    chainId: numberToHex(chainId),
    nonce: numberToHex(nonce),
    ...(to === undefined || to === null ? {} : { to }),
    data,
    gas: numberToHex(gas),
    value: numberToHex(value),
    maxFeePerGas: numberToHex(fees.maxFeePerGas ?? 0n),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas ?? 0n),
  };
}

async function isSigned(
  signed: Eip1559,
  address: Address,
  transaction: TransactionSerializableEIP1559,
): Promise<boolean> {
  try {
    const { r, s, yParity = 0, gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(signed);
    if (r === undefined || s === undefined) return false;
    const expected = { ...transaction, gas, maxFeePerGas, maxPriorityFeePerGas };
    const isSame = serializeTransaction(expected, { r, s, yParity }) === signed.toLowerCase();
    return isSame && (await recoverTransactionAddress({ serializedTransaction: signed })) === address;
  } catch {
    // Not a transaction, or not a signature of a key.
    return false;
  }
}

type Eip1559 = `0x02${string}`;

function isEip1559(signed: unknown): signed is Eip1559 {
  return isHex(signed) && signed.startsWith("0x02");
}

/** Asks a wallet; errors of EIP-1193 have a numeric code, 4001 for a refusal. */
async function requestFromProvider(
  provider: EvmProvider,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  try {
    return await requestOf(provider, method, params);
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : String(cause);
    const isRefusal = isObject(cause) && cause["code"] === 4001;
    throw new VipError(`the wallet did not answer ${method}: ${details}`, {
      code: isRefusal ? "DEVICE_REFUSED" : "DEVICE_FAILED",
      metaMessages: ["The transaction was not sent."],
      details,
      cause,
    });
  }
}
