import {
  bcs,
  Fee,
  MnemonicKey,
  MsgExecute,
  MsgGovExecute,
  MsgSubmitProposal,
  RESTClient,
  Wallet,
  type Msg,
  type TxInfo,
} from "@initia/initia.js";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";

/** A local chain that imitates Initia's L1. */
export interface LocalL1 extends AsyncDisposable {
  readonly restUrl: string;
  readonly rpcUrl: string;
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  /**
   * Calls an entry function of the module `vip` as the test account `operator`, who is also VIP's agent; rejects with the chain's
   * error text if it fails.
   */
  readonly call: (name: string, ...values: readonly L1Argument[]) => Promise<void>;
  /** Has governance call an entry function of the module `vip`; rejects with the reason if the proposal fails. */
  readonly govern: (name: string, ...values: readonly L1Argument[]) => Promise<void>;
}

/** An argument of an entry function: a u64, a text, bytes, or one that is in BCS already. */
export type L1Argument = bigint | string | Uint8Array | { readonly base64: string };

/** An address as an argument. */
export const address = (text: string): L1Argument => ({ base64: bcs.address().serialize(text).toBase64() });

/** A decimal number as an argument. */
export const decimal = (text: string): L1Argument => ({ base64: bcs.bigdecimal().serialize(text).toBase64() });

const governance = "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3";
/** Address 0x1, as which governance acts. */
const standardLibrary = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d";

function encode(value: L1Argument): string {
  if (typeof value === "bigint") return bcs.u64().serialize(value).toBase64();
  if (typeof value === "string") return bcs.string().serialize(value).toBase64();
  return value instanceof Uint8Array ? bcs.vector(bcs.u8()).serialize(value).toBase64() : value.base64;
}

export async function startL1(): Promise<LocalL1> {
  const node = await startVipnode({ vm: "move", l1: true });
  const { restUrl, rpcUrl, chainId, vipAddress } = node;
  if (vipAddress === undefined) throw new Error("the chain did not print the address of its module vip");
  const rest = new RESTClient(restUrl, { chainId });
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: testAccounts.operator.mnemonic }));
  const send = async (message: Msg): Promise<TxInfo> => {
    const transaction = await wallet.createAndSignTx({ msgs: [message], fee: new Fee(1_000_000, "0umin") });
    const { txhash, ...sent } = await rest.tx.broadcastSync(transaction);
    if ("code" in sent && sent.code !== 0) throw new Error(sent.raw_log);
    const found = await until(`transaction ${txhash}`, () => rest.tx.txInfo(txhash).catch(() => undefined));
    if (found.code !== 0) throw new Error(found.raw_log);
    return found;
  };
  const { accAddress } = wallet.key;
  const call: LocalL1["call"] = async (name, ...values) => {
    await send(new MsgExecute(accAddress, vipAddress, "vip", name, [], values.map(encode)));
  };
  const govern: LocalL1["govern"] = async (name, ...values) => {
    const args = values.map(encode);
    const message = new MsgGovExecute(governance, standardLibrary, vipAddress, "vip", name, [], args);
    const deposit = { umin: 10_000_000 };
    const sent = await send(
      new MsgSubmitProposal([message], deposit, accAddress, "https://forum.example", name, name, false),
    );
    const id =
      sent.events.flatMap(({ attributes }) => attributes).find(({ key }) => key === "proposal_id")?.value ?? "";
    const { status, failed_reason } = await outcomeOf(restUrl, id);
    if (status !== "PROPOSAL_STATUS_PASSED") throw new Error(failed_reason);
  };
  return { restUrl, rpcUrl, chainId, vipAddress, call, govern, [Symbol.asyncDispose]: () => node.stop() };
}

/** Returns how a proposal ended, once the votes are counted. */
function outcomeOf(restUrl: string, id: string): Promise<{ readonly status: string; readonly failed_reason: string }> {
  return until(`proposal ${id}`, async () => {
    const answer = await fetch(`${restUrl}/cosmos/gov/v1/proposals/${id}`);
    const { proposal } = (await answer.json()) as { proposal?: { status: string; failed_reason: string } };
    return proposal?.status === "PROPOSAL_STATUS_VOTING_PERIOD" ? undefined : proposal;
  });
}
