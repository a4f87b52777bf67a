// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {RowHooks} from "@vipscore/contracts-evm/src/RowHooks.sol";
import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";

/**
 * @title CappedScores
 * @notice A changed scoring contract: no score of an account in a stage is above a cap.
 */
contract CappedScores is RowHooks {
    /// @notice The highest score of an account in a stage.
    uint64 public constant CAP = 1_000_000;

    error ScoreAboveCap(uint64 stage, address addr, uint64 amount);

    constructor(uint64 initStage_) VipScore(initStage_) {}

    /// @dev Runs for each row of every write. Packed batches revert, because they name accounts by id and have no hook.
    function _beforeRow(uint64 stage, address addr, uint64 amount) internal pure override {
        if (amount > CAP) revert ScoreAboveCap(stage, addr, amount);
    }

    function contractVersion() external pure override returns (string memory) {
        return "2.1.0-acme";
    }
}
