// Whatever bytes a sequencer puts into a block, they are a transaction or an error.
import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { expect, test } from "vitest";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { recordedBlocks } from "@vipscore/testkit/playedComet";
import { decodeCalls } from "../../src/cosmos/decodeCalls.ts";

const wasmCall = TxRaw.encode(
  TxRaw.fromPartial({
    bodyBytes: TxBody.encode(
      TxBody.fromPartial({
        messages: [
          {
            typeUrl: "/cosmwasm.wasm.v1.MsgExecuteContract",
            value: Buffer.from('\n\x05init1\x12\x05init1\x1a\x14{"update_scores":{}}', "latin1"),
          },
        ],
      }),
    ).finish(),
  }),
).finish();

test("the calls of a transaction", async () => {
  const recorded = recordedBlocks.flatMap(({ transactions }) =>
    transactions.map((text) => Buffer.from(text, "base64")),
  );
  const valid = [...recorded.slice(0, 3), Buffer.from(wasmCall)].map((bytes) => bytes.toString("latin1"));
  const read = (text: string): void => {
    const bytes = Buffer.from(text, "latin1");
    expect(decodeCalls(bytes).length).toBeLessThanOrEqual(bytes.length);
  };
  // Its caller takes any error for bytes that are no transaction.
  expect(
    await fuzzReader(valid, read, (error) => error instanceof Error && error.name !== "AssertionError"),
  ).toBeGreaterThan(0);
});
