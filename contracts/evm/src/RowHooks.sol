// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "./VipScore.sol";

/**
 * @title RowHooks
 * @notice {VipScore} for contracts that check, change or add single rows: they override {_rowsToWrite}, {_beforeRow} or both.
 * @dev Packed batches name accounts by id and have no such hooks, so they revert: to allow them, override {updateScoresPacked},
 * check the entries, and call that of {VipScore}.
 */
abstract contract RowHooks is VipScore {
    function updateScores(
        uint64 stage,
        address[] calldata addrs,
        uint64[] calldata amounts
    ) public virtual override onlyMember {
        if (addrs.length != amounts.length) revert AddrsAndAmountsLengthMistmatch();
        Row[] memory rows = new Row[](addrs.length);
        for (uint256 i = 0; i < rows.length; ++i) rows[i] = Row(addrs[i], amounts[i]);
        _setScores(stage, rows);
    }

    function updateScoresPacked(uint64, PackedScores[] calldata) public virtual override onlyMember {
        revert("packed batches pass no row hook");
    }

    /// @dev The rows to write, given those of the call with the accounts' new scores: the same, other or more ones. May change
    /// variables and call other contracts. If anybody writes to the stage meanwhile, the call reverts with {RevisionMismatch}.
    function _rowsToWrite(uint64, Row[] memory rows) internal virtual returns (Row[] memory) {
        return rows;
    }

    /// @dev Runs for each row with an account, before the first is written, and can refuse the call. `amount` is the new score.
    function _beforeRow(uint64 stage, address addr, uint64 amount) internal view virtual {}

    function _writeRows(uint64 stage, Row[] memory rows) internal override {
        uint64 revision = getStage(stage).revision;
        rows = _rowsToWrite(stage, rows);
        uint64 found = getStage(stage).revision;
        if (found != revision) revert RevisionMismatch(stage, revision, found);
        for (uint256 i = 0; i < rows.length; ++i) {
            if (rows[i].addr != address(0)) _beforeRow(stage, rows[i].addr, rows[i].amount);
        }
        super._writeRows(stage, rows);
    }

    function _writeRow(uint64 stage, address addr, uint64 amount) internal override {
        Row[] memory rows = new Row[](1);
        rows[0] = Row(addr, amount);
        _writeRows(stage, rows);
    }
}
