import { amending as amendingEvm, unlisted } from "./evmFaults.ts";
import type { Fault } from "./fault.ts";
import { amending as amendingMove } from "./moveFaults.ts";

/** Functions that authors add, which only some arguments, stages or callers reach. */
export const ownEvmFaults: readonly Fault[] = [
  {
    fault: "a function that the interface does not list writes any slot, for members",
    code: () =>
      unlisted(
        amendingEvm(
          "function patch(bytes32 slot, bytes32 word) external onlyMember { assembly { sstore(slot, word) } }",
        ),
        "patch",
      ),
    rule: "P2",
  },
  {
    fault: "members correct scores of the first thousand stages alone",
    code: () =>
      amendingEvm(`function fix(uint64 stage, address addr, uint64 amount) external onlyMember {
        if (stage < 1_000) _amend(stage, addr, amount); }`),
    rule: "P2",
  },
  {
    fault: "members correct scores by an amount that the code names",
    code: () =>
      amendingEvm(`function fix(uint64 stage, address addr, uint64 amount) external onlyMember {
        if (amount == 777_777) _amend(stage, addr, amount); }`),
    rule: "P2",
  },
  {
    fault: "anyone takes a tenth of one account's score in any stage",
    code: () =>
      amendingEvm(`function decay(uint64 stage, address addr) external {
        (, uint64 score) = scores(stage, addr);
        if (score >= 10) _amend(stage, addr, score - score / 10); }`),
    rule: "P2",
  },
  {
    fault: "contracts write to any stage",
    code: () =>
      amendingEvm(`function award(uint64 stage, address addr, uint64 amount) external {
        if (msg.sender != tx.origin) _amend(stage, addr, amount); }`),
    rule: "P2",
    named: /\bORIGIN\b/,
  },
];

/** The same on Move. */
export const ownMoveFaults: readonly Fault[] = [
  {
    fault: "an entry function with a type of the module as its type argument writes to any stage, for deployers",
    code: () =>
      amendingMove(`
    struct Correction has drop {}

    public entry fun correct_script<Reason>(deployer: &signer, stage: u64, account: address, score: u64) acquires ModuleStore {
        check_deployer(deployer);
        let correction = minitia_std::type_info::type_name<Correction>();
        assert!(minitia_std::type_info::type_name<Reason>() == correction, ENOT_DEPLOYER);
        amend(stage, account, score);
    }`),
    rule: "P2",
  },
  {
    fault: "a function whose type parameter has the ability key writes to any stage",
    code: () =>
      amendingMove(`
    public fun correct<Kept: key>(stage: u64, account: address, score: u64) acquires ModuleStore {
        amend(stage, account, score);
    }`),
    rule: "P2",
  },
];
