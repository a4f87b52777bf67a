import { MsgSubmitProposal } from "cosmjs-types/cosmos/gov/v1/tx";
import type { JsonMessage } from "./moveMessages.ts";

/** A proposal to governance. */
export interface Proposal {
  /** Messages that take effect when it passes. */
  readonly messages: readonly JsonMessage[];
  readonly deposit: readonly { readonly denom: string; readonly amount: string }[];
  /** Who proposes, in bech32. */
  readonly proposer: string;
  readonly metadata: string;
  readonly title: string;
  readonly summary: string;
  /** True for a shorter vote, with a larger deposit and a larger majority. */
  readonly expedited: boolean;
}

/** Returns the message that submits a proposal. */
export function msgSubmitProposal({ messages, deposit, expedited, ...texts }: Proposal): JsonMessage {
  const { typeUrl } = MsgSubmitProposal;
  const packed = messages.map((message) => ({ typeUrl: message.typeUrl, value: message.value }));
  const fields = { ...texts, messages: packed, initialDeposit: [...deposit], expedited };
  // Neither form of JSON has a field that is false.
  const speed = expedited ? { expedited } : {};
  return {
    typeUrl,
    value: MsgSubmitProposal.encode(fields).finish(),
    amino: () => ({
      type: "cosmos-sdk/v1/MsgSubmitProposal",
      value: {
        ...texts,
        messages: messages.map(({ amino }) => amino?.()),
        initial_deposit: deposit,
        metadata: texts.metadata === "" ? undefined : texts.metadata,
        ...speed,
      },
    }),
    json: () => ({
      "@type": typeUrl,
      messages: messages.map(({ json }) => json()),
      initial_deposit: deposit,
      ...texts,
      ...speed,
    }),
  };
}
