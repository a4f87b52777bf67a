import { expect, test } from "vitest";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { pushAnswered, testFaults } from "@vipscore/testkit/adapter/faults";
import { askedBy, failure } from "@vipscore/testkit/scriptedNode";
import type { SeenRequest } from "@vipscore/testkit/scriptedServer";
import { startWasm } from "./wasmChain.ts";

// Late blocks, so that transactions are pending and cannot be looked up.
const chain = useChain(() => startWasm({ blockTimeMs: 500 }));

const reads = new Set(["tx", "/cosmwasm.wasm.v1.Query/SmartContractState", "/cosmwasm.wasm.v1.Query/RawContractState"]);
const isSend = (request: SeenRequest) => askedBy(request).name === "broadcast_tx_sync";
const failed = (data: string) => (request: SeenRequest) => failure(data)(askedBy(request));

testFaults(chain, { isSend, isRead: (request) => reads.has(askedBy(request).name), error: failed("") });

test("rows are written once after an internal error with an uninformative reason", async () => {
  expect(await pushAnswered(chain(), isSend, failed("EOF"))).toEqual({ setbacks: 0, extra: 0n });
});
