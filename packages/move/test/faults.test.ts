import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testFaults } from "@vipscore/testkit/adapter/faults";
import { refusal } from "@vipscore/testkit/scriptedServer";
import { startMove } from "./moveChain.ts";

// Late blocks, so that transactions are pending and cannot be looked up.
const chain = useChain(() => startMove({ blockTimeMs: 500 }));

const transactions = "/cosmos/tx/v1beta1/txs";

testFaults(chain, {
  isSend: ({ path }) => path === transactions,
  isRead: ({ path }) =>
    ["/cosmos/auth/", `${transactions}/`, "/initia/move/v1/tables/"].some((each) => path.startsWith(each)),
  error: () => refusal("internal error", 13),
});
