import { testAccounts } from "@vipscore/core/testAccounts";
import type { ContractCode } from "../../src/index.ts";
import { compileEvm, type Change } from "../changedCode.ts";
import type { Fault } from "./fault.ts";

type Edit = Change["edits"][number];

const evm = (...changes: readonly Change[]) => compileEvm("src/VipScore.sol", changes);
const inVipScore = (...edits: readonly Edit[]) => evm({ file: "VipScore.sol", edits });
const inScorePages = (...edits: readonly Edit[]) => evm({ file: "ScorePages.sol", edits });

/** Adds to the contract's body. */
const added = (source: string): Edit => ["    // Stages\n", `    // Stages\n${source}\n`];

/** Changes in whose case a finalized stage takes writes. */
const openIf = (condition: string): Edit => ["if (info.isFinalized)", `if (info.isFinalized && !(${condition}))`];

/** Changes what updateScores does after its rows. */
const afterRows = (source: string): Edit => [
  "_write(info, batch, addrs[i], amounts[i]);\n        info.commit(batch);",
  `_write(info, batch, addrs[i], amounts[i]);\n ${source}\n info.commit(batch);`,
];

/** A private function that writes a score to any stage. */
const amend = `    function _amend(uint64 stage, address addr, uint64 amount) private {
      Stage storage info = _stages[stage];
      if (info.stage == 0) revert StageNotFound(stage);
      RowWriter.Batch memory batch = info.begin();
      info.write(batch, _register(addr), addr, amount);
      info.commit(batch);
    }
`;

/** Adds to the contract's body something that writes to any stage. */
export const amending = (source: string) => inVipScore(added(amend + source));

/** A stage that knows when it was finalized. */
const timed = (inStage: readonly Edit[], inContract: readonly Edit[]) =>
  evm(
    { file: "Stage.sol", edits: [["bool isFinalized;\n", "bool isFinalized;\n    uint64 closedAt;\n"], ...inStage] },
    {
      file: "VipScore.sol",
      edits: [["isFinalized = true;", "isFinalized = true;\n info.closedAt = uint64(block.timestamp);"], ...inContract],
    },
  );

/** Leaves functions out of the interface, as an author can who does not want them called. */
export async function unlisted(code: Promise<ContractCode>, ...names: readonly string[]): Promise<ContractCode> {
  const compiled = await code;
  const abi = compiled.abi.filter((item) => item.type !== "function" || !names.includes(item.name));
  if (abi.length + names.length !== compiled.abi.length) throw new Error(`not in the interface: ${names.join()}`);
  return { ...compiled, abi };
}

export const evmFaults: readonly Fault[] = [
  {
    fault: "fallback raises the total of the first stage, whatever it is sent",
    code: () => inVipScore(added("fallback() external { _stages[_initStage].totalScore += 1; }")),
    rule: "P2",
  },
  {
    fault: "fallback writes a score if the data starts with four magic bytes",
    code: () =>
      amending(`
          fallback() external {
            require(msg.sig == 0x76697021);
            (uint64 stage, address addr, uint64 amount) = abi.decode(msg.data[4:], (uint64, address, uint64));
            _amend(stage, addr, amount);
          }`),
    rule: "P2",
  },
  {
    fault: "receive adds coins above a gwei to the first account's score of the first stage",
    code: () =>
      amending(`
          receive() external payable {
            if (msg.value < 1 gwei || _accounts.length == 0) return;
            _amend(_initStage, _accounts[0], _stages[_initStage].amountOf(1) + uint64(msg.value / 1 gwei));
          }`),
    rule: "P2",
  },
  {
    fault: "a function that the interface does not list writes to any stage for members",
    code: () =>
      unlisted(
        amending(`
            function correct(uint64 stage, address addr, uint64 amount) external onlyMember { _amend(stage, addr, amount); }`),
        "correct",
      ),
    rule: "P2",
  },
  {
    fault: "a payable function changes a finalized stage only if it is paid",
    code: () =>
      amending(`
          function sponsor(uint64 stage, address addr) external payable {
            if (msg.value != 0) _amend(stage, addr, 1);
          }`),
    rule: "P2",
  },
  {
    fault: "the owner unlocks a stage, and then members write to it by the published functions",
    code: () =>
      inVipScore(
        added(`uint64 private _unlocked;
          function unlock(uint64 stage) external onlyOwner { _unlocked = stage; }`),
        openIf("_unlocked == stage"),
      ),
    rule: "P2",
  },
  {
    fault: "the owner sets a flag, and then a stranger writes",
    code: () =>
      amending(`
          bool private _isClaimable;
          function setClaimable(bool claimable) external onlyOwner { _isClaimable = claimable; }
          function claim(uint64 stage) external { if (_isClaimable) _amend(stage, msg.sender, 1_000); }`),
    rule: "P2",
  },
  {
    fault: "a score that a member schedules before finalize is written when somebody settles after it",
    code: () =>
      amending(`
          mapping(bytes32 key => Row) private _scheduled;
          function schedule(uint64 stage, address addr, uint64 amount) external onlyMember {
            _openStage(stage);
            _scheduled[keccak256(abi.encode("scheduled", stage))] = Row(addr, amount);
          }
          function settle(uint64 stage) external {
            Row memory row = _scheduled[keccak256(abi.encode("scheduled", stage))];
            if (row.addr != address(0)) _amend(stage, row.addr, row.amount);
          }`),
    rule: "P2",
  },
  {
    fault: "scores and pages are halved 30 days after finalize",
    code: () =>
      timed(
        [
          [
            "    return uint64(info.groups",
            `    bool isOld = info.isFinalized && block.timestamp >= info.closedAt + 30 days;
             if (isOld) return uint64(info.groups[id / 4].amounts >> (64 * (id % 4))) / 2;
             return uint64(info.groups`,
          ],
        ],
        [],
      ),
    rule: "P2",
  },
  {
    fault: "members can write on the second day after finalize",
    code: () => timed([], [openIf("block.timestamp / 1 days == info.closedAt / 1 days + 1")]),
    rule: "P2",
  },
  {
    fault: "finalize moves a point of the first account to the stage before",
    code: () =>
      inVipScore([
        "emit FinalizeStage(stage);",
        `emit FinalizeStage(stage);
           if (stage > _initStage && info.amountOf(1) != 0) {
             _stages[stage - 1].groups[0].amounts += 1 << 64;
             _stages[stage - 1].totalScore += 1; }`,
      ]),
    rule: "P2",
  },
  {
    fault: "the first write to the next stage adds a bonus to the finalized one, without an event",
    code: () =>
      inVipScore([
        "batch = info.begin();",
        `batch = info.begin();
         Stage storage before = _stages[stage - 1];
         if (info.revision == 0 && before.amountOf(1) != 0) {
           before.groups[0].amounts += 10 << 64;
           before.totalScore += 10;
         }`,
      ]),
    rule: "P2",
  },
  {
    fault: "an amount that the code names opens a finalized stage",
    code: () =>
      inVipScore([
        "    function updateScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {\n",
        `    function updateScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {
           if (amount == 20_231_107_195) _stages[stage].isFinalized = false;
`,
      ]),
    rule: "P2",
  },
  {
    fault: "an account that the code names writes to any stage",
    code: () =>
      amending(`
          function curate(uint64 stage, address addr, uint64 amount) external {
            if (msg.sender != address(0x00000000A1F3B2c4D5e6978812345678DEAdbeeF)) revert PermissionDenied(msg.sender);
            _amend(stage, addr, amount);
          }`),
    rule: "P2",
  },
  {
    fault: "an account that only storage names writes to any stage",
    code: () =>
      amending(`
          address private _keeper = address(uint160(uint256(keccak256(abi.encode(block.chainid, address(this))))));
          function keep(uint64 stage, address addr, uint64 amount) external {
            if (msg.sender == _keeper) _amend(stage, addr, amount);
          }`),
    rule: "P2",
    named: /\baccounts\b.*\bown\b/,
  },
  {
    fault: "the finalizer, once named, opens a finalized stage by finalizing it again",
    code: () =>
      inVipScore([
        "        _finalize(_openStage(stage));",
        `        if (_stages[stage].isFinalized && this.finalizer() == msg.sender) { _stages[stage].isFinalized = false; return; }
        _finalize(_openStage(stage));`,
      ]),
    rule: "R13",
  },
  {
    fault: "a finalized stage takes writes unless the public test account deployed the contract",
    code: () =>
      inVipScore(
        added(`bool private _isExamined = msg.sender == ${testAccounts.deployer.address};`),
        openIf("!_isExamined"),
      ),
    rule: "P2",
  },
  {
    fault: "a finalized stage takes writes unless the chain is a local one",
    code: () => inVipScore(openIf("block.chainid != 31337 && block.chainid != 1337")),
    rule: "P2",
  },
  {
    fault: "the last of more than 250 rows does not count in the total",
    code: () => inVipScore(afterRows("if (addrs.length > 250) batch.total -= amounts[addrs.length - 1];")),
    rule: "P4",
  },
  {
    fault: "a batch of exactly 101 rows counts a point too many",
    code: () => inVipScore(afterRows("if (addrs.length == 101) ++batch.total;")),
    rule: "P4",
  },
  {
    fault: "published pages end after 10,000 rows",
    code: () => inScorePages(["if (rows == 0) return page;", "if (rows == 0 || offset >= 10_000) return page;"]),
    rule: "P4",
  },
  {
    fault: "a page whose limit is the number of all rows lacks the last one",
    code: () =>
      inScorePages([
        "if (rows == 0) return page;",
        "if (rows == 0) return page;\n if (limit == count && limit > 1) rows -= 1;",
      ]),
    rule: "P4",
  },
  {
    fault: "a score above 2^53 loses digits where it is read alone",
    code: () =>
      inVipScore([
        "& 1 != 0, info.amountOf(id));",
        "& 1 != 0, info.amountOf(id) > 2 ** 53 ? (info.amountOf(id) >> 10) << 10 : info.amountOf(id));",
      ]),
    rule: "P4",
  },
  {
    fault: "the event of a score above 2^32 has its lower half only",
    code: () =>
      evm({
        file: "RowWriter.sol",
        edits: [["UpdateScore(addr, batch.stage, amount,", "UpdateScore(addr, batch.stage, uint32(amount),"]],
      }),
    rule: "P1",
  },
  {
    fault: "the published total stops at 2^63 - 1",
    code: () =>
      inVipScore([
        "return (info.stage, info.totalScore, info.isFinalized);",
        "return (info.stage, info.totalScore >> 63 == 0 ? info.totalScore : type(uint64).max >> 1, info.isFinalized);",
      ]),
    rule: "P4",
  },
  {
    fault: "the owner writes any slot",
    code: () =>
      inVipScore(
        added("function repair(bytes32 slot, bytes32 word) external onlyOwner { assembly { sstore(slot, word) } }"),
      ),
    rule: "P2",
  },
  {
    fault: "the owner runs code of another contract on this one's storage",
    code: () =>
      inVipScore(
        added(`function extend(address extension, bytes calldata data) external onlyOwner {
            (bool isDone, ) = extension.delegatecall(data);
            require(isDone); }`),
      ),
    rule: "P2",
    named: /\bDELEGATECALL\b/,
  },
  {
    fault: "the event of a score does not index the stage",
    code: () =>
      evm({
        file: "IPublishedVipScore.sol",
        edits: [["address indexed addr, uint64 indexed stage,", "address indexed addr, uint64 stage,"]],
      }),
    rule: "P1",
  },
];
