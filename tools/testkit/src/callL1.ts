import {
  Fee,
  MnemonicKey,
  MsgExecute,
  MsgGovExecute,
  MsgSend,
  MsgSubmitProposal,
  RESTClient,
  Wallet,
  type Msg,
  type TxInfo,
} from "@initia/initia.js";
import { testAccounts } from "@vipscore/core/testAccounts";
import { until } from "./until.ts";

/** A local chain that imitates Initia's L1. */
export interface L1Location {
  readonly restUrl: string;
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
}

/** An argument of an entry function in BCS, such as those of `bcs` in initia.js. */
export interface BcsValue {
  toBase64(): string;
}

/** Calls of the module `vip`. */
export interface L1Calls {
  /**
   * Calls an entry function as the test account `operator`, who is also VIP's agent; rejects with the chain's error text if it
   * fails.
   */
  readonly call: (name: string, ...args: readonly BcsValue[]) => Promise<void>;
  /** Has governance call an entry function; rejects with the reason if the proposal fails. */
  readonly govern: (name: string, ...args: readonly BcsValue[]) => Promise<void>;
  /** Sends coins of the test account `operator`. */
  readonly pay: (to: string, amount: bigint) => Promise<void>;
}

const governance = "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3";
/** Address 0x1, as which governance acts. */
const standardLibrary = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d";

/** Enough at L1's highest base price. */
const fee = new Fee(1_000_000, "10000000umin");

/** Opens the calls of a chain, which initia.js sends. */
export function callL1({ restUrl, chainId, vipAddress }: L1Location): L1Calls {
  const rest = new RESTClient(restUrl, { chainId });
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: testAccounts.operator.mnemonic }));
  const { accAddress } = wallet.key;
  const send = async (message: Msg): Promise<TxInfo> => {
    const signed = await wallet.createAndSignTx({ msgs: [message], fee });
    const { txhash, ...sent } = await rest.tx.broadcastSync(signed);
    if ("code" in sent && sent.code !== 0) throw new Error(sent.raw_log);
    const found = await until(`transaction ${txhash}`, () => rest.tx.txInfo(txhash).catch(() => undefined));
    if (found.code !== 0) throw new Error(found.raw_log);
    return found;
  };
  return {
    pay: async (to, amount) => {
      await send(new MsgSend(accAddress, to, { umin: amount.toString() }));
    },
    call: async (name, ...args) => {
      await send(new MsgExecute(accAddress, vipAddress, "vip", name, [], args.map(base64)));
    },
    govern: async (name, ...args) => {
      const message = new MsgGovExecute(governance, standardLibrary, vipAddress, "vip", name, [], args.map(base64));
      const deposit = { umin: 10_000_000 };
      const sent = await send(
        new MsgSubmitProposal([message], deposit, accAddress, "https://forum.example", name, name, false),
      );
      const id = sent.events.flatMap(({ attributes }) => attributes).find(({ key }) => key === "proposal_id")?.value;
      const { status, failed_reason } = await proposalOutcome(restUrl, Number(id));
      if (status !== "PROPOSAL_STATUS_PASSED") throw new Error(failed_reason);
    },
  };
}

const base64 = (value: BcsValue): string => value.toBase64();

/** Outcome of a proposal, according to L1's governance. */
export interface ProposalOutcome {
  readonly status: string;
  readonly failed_reason: string;
}

/** Waits until L1 has counted the votes for a proposal. */
export function proposalOutcome(restUrl: string, id: number): Promise<ProposalOutcome> {
  return until(`proposal ${id}`, async () => {
    const answer = await fetch(`${restUrl}/cosmos/gov/v1/proposals/${id}`);
    const { proposal } = (await answer.json()) as { readonly proposal?: ProposalOutcome };
    return proposal?.status === "PROPOSAL_STATUS_VOTING_PERIOD" ? undefined : proposal;
  });
}
