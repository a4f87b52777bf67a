// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

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
 * scores by its own rule ({_setScores}), ask who is a member ({_isMember}), and refuse a write, a row or a finalize
 * ({_beforeWrite}, {_beforeRow}, {_beforeFinalize}). It cannot reach the storage, except by assembly: whatever it does, a finalized stage stays as it is, and
 * total, count and revision stay right.
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
        (Stage storage info, RowWriter.Batch memory batch) = _begin(stage);
        for (uint256 i = 0; i < addrs.length; ++i) _write(info, batch, addrs[i], amounts[i]);
        info.commit(batch);
    }

    function updateScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {
        (Stage storage info, RowWriter.Batch memory batch) = _begin(stage);
        _write(info, batch, addr, amount);
        info.commit(batch);
    }

    function increaseScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {
        (Stage storage info, RowWriter.Batch memory batch) = _begin(stage);
        uint64 score = info.amountOf(_ids[addr]);
        if (amount > type(uint64).max - score) revert ScoreOverflow(stage, addr);
        _write(info, batch, addr, score + amount);
        info.commit(batch);
    }

    function decreaseScore(uint64 stage, address addr, uint64 amount) public virtual onlyMember {
        (Stage storage info, RowWriter.Batch memory batch) = _begin(stage);
        // As in every write, the zero address is skipped: its score of 0 would revert with InsufficientScore.
        if (addr == address(0)) return;
        uint64 score = info.amountOf(_ids[addr]);
        if (amount > score) revert InsufficientScore(stage, addr, score, amount);
        _write(info, batch, addr, score - amount);
        info.commit(batch);
    }

    function updateScoresPacked(uint64 stage, PackedScores[] calldata entries) public virtual onlyMember {
        _beforeWrite(stage);
        (uint64 count, uint64 totalScore) = _openStage(stage).writePacked(entries, _accounts.length);
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
        (Stage storage info, RowWriter.Batch memory batch) = _begin(stage);
        for (uint256 i = 0; i < rows.length; ++i) _write(info, batch, rows[i].addr, rows[i].amount);
        info.commit(batch);
    }

    /// @dev For contracts that inherit: runs at the start of every write to a stage, before the stage is checked.
    function _beforeWrite(uint64 stage) internal virtual {}

    /**
     * @dev For contracts that inherit: runs before each row is written, except in {updateScoresPacked}, which a contract that
     * overrides this has to override too. `amount` is the account's new score.
     */
    function _beforeRow(uint64 stage, address addr, uint64 amount) internal virtual {}

    function _begin(uint64 stage) private returns (Stage storage info, RowWriter.Batch memory batch) {
        // The hook may write too, so the batch begins after it.
        _beforeWrite(stage);
        info = _openStage(stage);
        batch = info.begin();
    }

    function _write(Stage storage info, RowWriter.Batch memory batch, address addr, uint64 amount) private {
        if (addr != address(0)) {
            _beforeRow(info.stage, addr, amount);
            info.write(batch, _register(addr), addr, amount);
        }
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

    /// @dev For contracts that inherit: runs before a stage is finalized, and before it is checked.
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

    function initStage() external view returns (uint64) {
        return _initStage;
    }

    function stages(uint64 number) external view returns (uint64 stage, uint64 totalScore, bool isFinalized) {
        Stage storage info = _stages[number];
        return (info.stage, info.totalScore, info.isFinalized);
    }

    function getStage(uint64 stage) external view returns (StageInfo memory) {
        Stage storage info = _stages[stage];
        return StageInfo(info.stage, info.totalScore, info.count, info.revision, info.isFinalized);
    }

    function scores(uint64 stage, address addr) external view returns (bool isIndexed, uint64 amount) {
        Stage storage info = _stages[stage];
        uint256 id = _ids[addr];
        return ((info.present[id / 256] >> (id % 256)) & 1 != 0, info.amountOf(id));
    }

    function getScores(uint64 stage, uint64 offset, uint64 limit) external view returns (ScoreResponse[] memory) {
        return _stages[stage].pageByOffset(_accounts, offset, limit);
    }

    function getScoresFrom(
        uint64 stage,
        uint32 fromId,
        uint64 limit
    ) external view returns (AccountScore[] memory, uint32) {
        return _stages[stage].pageById(_accounts, fromId, limit);
    }

    function accountCount() external view returns (uint32) {
        return uint32(_accounts.length);
    }

    function idsOf(address[] calldata addrs) external view returns (uint32[] memory ids) {
        ids = new uint32[](addrs.length);
        for (uint256 i = 0; i < addrs.length; ++i) ids[i] = uint32(_ids[addrs[i]]);
    }
}
