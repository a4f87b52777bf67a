// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {PackedWriter} from "./PackedWriter.sol";
import {Roles} from "./Roles.sol";
import {RowWriter} from "./RowWriter.sol";
import {ScorePages} from "./ScorePages.sol";
import {Stage} from "./Stage.sol";

/**
 * @title VipScore
 * @notice The scoring contract of an Initia rollup. {IVipScore} documents each function.
 *
 * @dev To build on it, inherit. Your contract can override the functions that change something, to allow less, write
 * scores by its own rule ({_setScores}), read them, ask who is a member ({_isMember}), and act before a write or a finalize
 * ({_beforeWrite}, {_beforeFinalize}). To check, change or add single rows, inherit {RowHooks} instead. Hooks and what they
 * call run before a write or a finalize begins, never inside: a finalized stage stays as it is, and total, count and revision
 * stay right. What reaches the storage all the same: assembly, `delegatecall`, which external functions of libraries are, a
 * variable of 2^64 slots or more, of which solc warns, and bugs of solc before 0.8.37, which the pragma excludes (E19).
 */
contract VipScore is Roles {
    using RowWriter for Stage;
    using PackedWriter for Stage;
    using ScorePages for Stage;

    /// @dev A score to write.
    struct Row {
        address addr;
        uint64 amount;
    }

    // The account with id 1 is at index 0.
    address[] private _accounts;
    mapping(address account => uint256 id) private _ids;
    mapping(uint64 stage => Stage) private _stages;
    // Not immutable, so that deployed code is the same for every first stage and can be compared with the artifact.
    // slither-disable-next-line immutable-states
    uint64 private _initStage;

    constructor(uint64 initStage_) {
        if (initStage_ == 0) revert ZeroStage();
        _initStage = initStage_;
        _createStage(initStage_);
    }

    // Writing scores

    function updateScores(uint64 stage, address[] calldata addrs, uint64[] calldata amounts) public virtual onlyMember {
        if (addrs.length != amounts.length) revert AddrsAndAmountsLengthMistmatch();
        Stage storage info = _beginWrite(stage);
        RowWriter.Batch memory batch = info.begin();
        for (uint256 i = 0; i < addrs.length; ++i) _write(info, batch, addrs[i], amounts[i]);
        info.commit(batch);
    }

    function updateScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {
        _beginWrite(stage);
        _writeRow(stage, addr, amount);
    }

    function increaseScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {
        uint64 score = _beginWrite(stage).amountOf(_ids[addr]);
        if (amount > type(uint64).max - score) revert ScoreOverflow(stage, addr);
        _writeRow(stage, addr, score + amount);
    }

    function decreaseScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {
        uint64 score = _beginWrite(stage).amountOf(_ids[addr]);
        // As in every write, the zero address is skipped: its score of 0 would revert with InsufficientScore.
        if (addr == address(0)) return;
        if (amount > score) revert InsufficientScore(stage, addr, score, amount);
        _writeRow(stage, addr, score - amount);
    }

    function updateScoresPacked(uint64 stage, PackedScores[] calldata entries) public virtual onlyMember {
        (uint64 count, uint64 totalScore) = _beginWrite(stage).writePacked(entries, _accounts.length);
        emit UpdateScoresPacked(stage, count, totalScore);
    }

    function registerAccounts(address[] calldata addrs) public virtual onlyMember {
        for (uint256 i = 0; i < addrs.length; ++i) {
            if (addrs[i] == address(0)) revert InvalidAddress(address(0));
            _register(addrs[i]);
        }
    }

    /**
     * @dev For contracts that inherit: sets the scores of many accounts, without a check of the caller. Everything else is as in
     * {updateScores}: the stage must be open, the zero address is skipped, an account's last row counts.
     */
    // slither-disable-next-line dead-code
    function _setScores(uint64 stage, Row[] memory rows) internal {
        _beginWrite(stage);
        _writeRows(stage, rows);
    }

    /// @dev For contracts that inherit: runs first in every write, before the stage is checked or a score read. It may write too.
    function _beforeWrite(uint64 stage) internal virtual {}

    function _beginWrite(uint64 stage) private returns (Stage storage) {
        _beforeWrite(stage);
        return _openStage(stage);
    }

    /// @dev For {RowHooks} alone, as {_writeRow}: not all writes pass here. The stage is checked after the hooks of the overrides.
    function _writeRows(uint64 stage, Row[] memory rows) internal virtual {
        Stage storage info = _openStage(stage);
        RowWriter.Batch memory batch = info.begin();
        for (uint256 i = 0; i < rows.length; ++i) _write(info, batch, rows[i].addr, rows[i].amount);
        info.commit(batch);
    }

    function _writeRow(uint64 stage, address addr, uint64 amount) internal virtual {
        Stage storage info = _openStage(stage);
        RowWriter.Batch memory batch = info.begin();
        _write(info, batch, addr, amount);
        info.commit(batch);
    }

    function _write(Stage storage info, RowWriter.Batch memory batch, address addr, uint64 amount) private {
        if (addr != address(0)) info.write(batch, _register(addr), addr, amount);
    }

    /// @dev The id of an account, which gets one if it has none.
    function _register(address addr) private returns (uint256 id) {
        id = _ids[addr];
        if (id != 0) return id;
        id = SafeCast.toUint32(_accounts.length + 1);
        _accounts.push(addr);
        _ids[addr] = id;
    }

    // Stages

    function finalizeStage(uint64 stage) public virtual onlyFinalizer {
        _beforeFinalize(stage);
        _finalize(_openStage(stage));
    }

    function finalizeStageChecked(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount,
        uint64 expectedRevision
    ) public virtual onlyFinalizer {
        _beforeFinalize(stage);
        Stage storage info = _openStage(stage);
        (uint64 total, uint64 count) = (info.totalScore, info.count);
        if (total != expectedTotal || count != expectedCount) {
            revert FinalizeMismatch(stage, expectedTotal, total, expectedCount, count);
        }
        if (info.revision != expectedRevision) revert RevisionMismatch(stage, expectedRevision, info.revision);
        _finalize(info);
    }

    /// @dev For contracts that inherit: runs first in every finalize, before the stage is checked. It may write too.
    function _beforeFinalize(uint64 stage) internal virtual {}

    function _finalize(Stage storage info) private {
        uint64 stage = info.stage;
        info.isFinalized = true;
        emit FinalizeStage(stage);
        // The next stage cannot exist: after the first stage, only this line creates stages, and a stage is finalized once.
        if (stage != type(uint64).max) _createStage(stage + 1);
    }

    function _createStage(uint64 stage) private {
        _stages[stage].stage = stage;
        emit CreateStage(stage);
    }

    /// @dev A stage that exists and is not finalized.
    function _openStage(uint64 stage) private view returns (Stage storage info) {
        info = _stages[stage];
        if (info.stage == 0) revert StageNotFound(stage);
        if (info.isFinalized) revert StageFinalized(stage);
    }

    // Reading

    function contractVersion() external pure virtual returns (string memory) {
        return "1.0.0";
    }

    function initStage() public view returns (uint64) {
        return _initStage;
    }

    function stages(uint64 number) public view returns (uint64 stage, uint64 totalScore, bool isFinalized) {
        Stage storage info = _stages[number];
        return (info.stage, info.totalScore, info.isFinalized);
    }

    function getStage(uint64 stage) public view returns (StageInfo memory) {
        Stage storage info = _stages[stage];
        return StageInfo(info.stage, info.totalScore, info.count, info.revision, info.isFinalized);
    }

    function scores(uint64 stage, address addr) public view returns (bool isIndexed, uint64 amount) {
        Stage storage info = _stages[stage];
        uint256 id = _ids[addr];
        return ((info.present[id / 256] >> (id % 256)) & 1 != 0, info.amountOf(id));
    }

    function getScores(uint64 stage, uint64 offset, uint64 limit) public view returns (ScoreResponse[] memory) {
        return _stages[stage].pageByOffset(_accounts, offset, limit);
    }

    function getScoresFrom(
        uint64 stage,
        uint32 fromId,
        uint64 limit
    ) public view returns (AccountScore[] memory, uint32) {
        return _stages[stage].pageById(_accounts, fromId, limit);
    }

    function accountCount() public view returns (uint32) {
        return uint32(_accounts.length);
    }

    function idsOf(address[] calldata addrs) external view returns (uint32[] memory ids) {
        ids = new uint32[](addrs.length);
        for (uint256 i = 0; i < addrs.length; ++i) ids[i] = uint32(_ids[addrs[i]]);
    }
}
