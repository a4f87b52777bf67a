import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { bcsAddress, bcsU64 } from "../src/bcs/bcsType.ts";
import { checkNoOpenProposal, readVipProposals } from "../src/index.ts";
import { json, serve } from "./l1Server.ts";

const vip = { address: parseAccount(`0x${"41".repeat(20)}`, { accountBytes: [20] }), isConfirmed: true };

/** A message that calls the module `vip` by governance, as a node writes it. */
const call = (function_name: string, args: readonly Buffer[], fields: object = {}): object => ({
  "@type": "/initia.move.v1.MsgGovExecute",
  authority: "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3",
  sender: "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d",
  module_address: vip.address,
  module_name: "vip",
  function_name,
  type_args: [],
  args: args.map((bytes) => bytes.toString("base64")),
  ...fields,
});
const bridge = bcsU64.encode(7n);
const register = call("register", [bcsAddress.encode(vip.address), bridge]);

const proposal = (id: string, messages: readonly object[], fields: object = {}): object => ({
  id,
  messages,
  status: "PROPOSAL_STATUS_VOTING_PERIOD",
  submit_time: "2026-11-23T17:15:51.986064513Z",
  deposit_end_time: "2026-11-25T17:15:51.986064513Z",
  voting_start_time: "2026-11-23T17:15:51.986064513Z",
  voting_end_time: "2026-11-26T17:15:51.986064513Z",
  failed_reason: "",
  ...fields,
});

test("the proposals about a bridge, with their deadlines", async () => {
  const unpaid = { status: "PROPOSAL_STATUS_DEPOSIT_PERIOD", voting_start_time: null, voting_end_time: null };
  const reason = "VM aborted: location=41::vip, code=852002";
  await using server = await serve(
    json({
      proposals: [
        proposal("6", [{ "@type": "/cosmos.bank.v1beta1.MsgSend" }, call("update_l2_score_contract", [bridge])]),
        proposal("5", [register], unpaid),
        proposal("4", [register], { status: "PROPOSAL_STATUS_FAILED", failed_reason: reason }),
        proposal("3", [call("deregister", [bcsU64.encode(8n)])]),
        proposal("2", [call("register", [bridge, bridge], { module_address: "0x1" })]),
        proposal("1", [call("register", [bridge, bridge], { module_name: "weight_vote" })]),
        proposal("0", [call("update_agent_by_chain", [bcsAddress.encode(vip.address)])]),
      ],
    }),
  );
  const end = new Date("2026-11-26T17:15:51.986Z");
  expect(await readVipProposals({ l1RestUrl: server.url, vip, bridgeId: 7n })).toEqual([
    { id: 6n, functionName: "update_l2_score_contract", status: "VOTING_PERIOD", deadline: end, failedReason: "" },
    {
      id: 5n,
      functionName: "register",
      status: "DEPOSIT_PERIOD",
      deadline: new Date("2026-11-25T17:15:51.986Z"),
      failedReason: "",
    },
    { id: 4n, functionName: "register", status: "FAILED", deadline: end, failedReason: reason },
  ]);
  expect(server.requests[0]?.path).toBe("/cosmos/gov/v1/proposals?pagination.limit=100&pagination.reverse=true");
});

test("a call on which L1 votes is not proposed again", async () => {
  const ended = { status: "PROPOSAL_STATUS_FAILED" };
  await using server = await serve(
    json({ proposals: [proposal("9", [call("deregister", [bridge])]), proposal("8", [register])] }),
    json({ proposals: [proposal("9", [call("deregister", [bridge])]), proposal("8", [register], ended)] }),
  );
  const options = { l1RestUrl: server.url, vip, bridgeId: 7n };
  const open = { code: "PROPOSAL_OPEN", message: expect.stringMatching(/\b8\b.*\b7\b.*2026-11-26/) as unknown };
  await expect(checkNoOpenProposal(options, "register")).rejects.toMatchObject(open);
  await expect(checkNoOpenProposal(options, "register")).resolves.toBeUndefined();
});
