// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {RowHooks} from "@vipscore/contracts-evm/src/RowHooks.sol";
import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";

/// @dev An honest contract with much of its own: a pause, a minimum, more events.
contract PausedScores is RowHooks, Pausable {
    uint64 public constant MIN = 10;

    event Written(uint64 indexed stage, uint256 rows);

    error ScoreBelowMin(uint64 stage, address addr, uint64 amount);

    constructor(uint64 initStage_) VipScore(initStage_) {}

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function _beforeFinalize(uint64) internal view override whenNotPaused {}

    function _beforeRow(uint64 stage, address addr, uint64 amount) internal pure override {
        if (amount != 0 && amount < MIN) revert ScoreBelowMin(stage, addr, amount);
    }

    function _rowsToWrite(uint64 stage, Row[] memory rows) internal override whenNotPaused returns (Row[] memory) {
        emit Written(stage, rows.length);
        return rows;
    }
}
