// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PackedWriter} from "./PackedWriter.sol";
import {Roles} from "./Roles.sol";
import {ScorePages} from "./ScorePages.sol";

/**
 * @title VipScore
 * @notice The scoring contract of an Initia rollup. {IVipScore} documents each function.
 *
 * @dev The functions that change stages and scores. {Roles} has those for members and owner, {ScorePages} the views.
 */
contract VipScore is PackedWriter, ScorePages, Roles {
    // Not immutable, so that deployed code is the same for every first stage and can be compared with the artifact.
    // slither-disable-next-line immutable-states
    uint64 public override initStage;

    constructor(uint64 initStage_) {
        initStage = initStage_;
        _createStage(initStage_);
    }

    function contractVersion() external pure override returns (string memory) {
        return "2.0.0";
    }

    // Scores

    function updateScores(
        uint64 stage,
        address[] calldata addrs,
        uint64[] calldata amounts
    ) external override onlyMember {
        if (addrs.length != amounts.length) revert AddrsAndAmountsLengthMistmatch();
        (Stage storage info, Batch memory batch) = _begin(stage);
        for (uint256 i = 0; i < addrs.length; ++i) {
            _writeRow(info, batch, addrs[i], amounts[i]);
        }
        _commit(info, batch);
    }

    function updateScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        (Stage storage info, Batch memory batch) = _begin(stage);
        _writeRow(info, batch, addr, amount);
        _commit(info, batch);
    }

    function increaseScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        (Stage storage info, Batch memory batch) = _begin(stage);
        uint64 score = _amountOf(info, _ids[addr]);
        if (amount > type(uint64).max - score) revert ScoreOverflow(stage, addr);
        _writeRow(info, batch, addr, score + amount);
        _commit(info, batch);
    }

    function decreaseScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        (Stage storage info, Batch memory batch) = _begin(stage);
        // As in every write, the zero address is skipped: its score of 0 would revert with InsufficientScore.
        if (addr == address(0)) return;
        uint64 score = _amountOf(info, _ids[addr]);
        if (amount > score) revert InsufficientScore(stage, addr, score, amount);
        _writeRow(info, batch, addr, score - amount);
        _commit(info, batch);
    }

    function updateScoresPacked(uint64 stage, PackedScores[] calldata entries) external override onlyMember {
        (uint64 count, uint64 totalScore) = _writePacked(stage, entries);
        emit UpdateScoresPacked(stage, count, totalScore);
    }

    function registerAccounts(address[] calldata addrs) external override onlyMember {
        for (uint256 i = 0; i < addrs.length; ++i) {
            if (addrs[i] == address(0)) revert InvalidAddress(address(0));
            _register(addrs[i]);
        }
    }

    // Stages

    function finalizeStage(uint64 stage) external override onlyFinalizer {
        _finalize(_openStage(stage));
    }

    function finalizeStageChecked(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount
    ) external override onlyFinalizer {
        _finalize(_expectedStage(stage, expectedTotal, expectedCount));
    }

    function finalizeStageChecked(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount,
        uint64 expectedRevision
    ) external override onlyFinalizer {
        Stage storage info = _expectedStage(stage, expectedTotal, expectedCount);
        if (info.revision != expectedRevision) revert RevisionMismatch(stage, expectedRevision, info.revision);
        _finalize(info);
    }

    /// @dev Returns an open stage; reverts unless it has this total and count.
    function _expectedStage(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount
    ) private view returns (Stage storage info) {
        info = _openStage(stage);
        (uint64 total, uint64 count) = (info.totalScore, info.count);
        if (total != expectedTotal || count != expectedCount) {
            revert FinalizeMismatch(stage, expectedTotal, total, expectedCount, count);
        }
    }

    function _finalize(Stage storage info) private {
        uint64 stage = info.stage;
        info.isFinalized = true;
        emit FinalizeStage(stage);
        // The next stage cannot exist: after the first stage, only this line creates stages, and a stage is finalized once.
        if (stage != type(uint64).max) _createStage(stage + 1);
    }
}
