// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";

/**
 * @title CappedScores
 * @notice A changed scoring contract: no score of an account in a stage is above a cap.
 */
contract CappedScores is VipScore {
    /// @notice The highest score of an account in a stage.
    uint64 public constant CAP = 1_000_000;

    error ScoreAboveCap(uint64 stage, address addr, uint64 amount);

    constructor(uint64 initStage_) VipScore(initStage_) {}

    /// @dev Runs before each row of every write that names accounts by address.
    function _beforeRow(uint64 stage, address addr, uint64 amount) internal pure override {
        if (amount > CAP) revert ScoreAboveCap(stage, addr, amount);
    }

    /// @dev Packed batches name accounts by id, four to a word, and have no hook for each row: this contract does without them.
    function updateScoresPacked(uint64, PackedScores[] calldata) public pure override {
        revert("no packed batches");
    }

    function contractVersion() external pure override returns (string memory) {
        return "2.1.0-acme";
    }
}
