// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IVipScore} from "@vipscore/contracts-evm/src/IVipScore.sol";

/**
 * @title Arena
 * @notice A game that scores in the transaction of a player's win, with no file and no server. Its address is a member of the
 * scoring contract (`addAllowList`).
 */
contract Arena {
    /// @notice The scoring contract.
    IVipScore public immutable scores;

    /// @notice The stage that is scored: the only place that knows it.
    uint64 public stage;

    event Won(address indexed player, uint64 points);

    /// @notice The scoring contract refused, and why. Lets the operator add the points later.
    event NotScored(address indexed player, uint64 points, bytes reason);

    /// @notice The transaction has too little gas for the score.
    error OutOfGas();

    constructor(IVipScore scores_) {
        scores = scores_;
        stage = scores_.initStage();
    }

    /// @notice The caller wins. A real game computes the points; it never takes them from the caller.
    function win(uint64 points) external {
        emit Won(msg.sender, points);
        uint64 open = _openStage();
        // A refusal must not undo the win: the score may overflow, or this contract may no longer be a member. It has a reason.
        // Without one, gas ran out, and the win must fail too: a wallet estimates the least gas with which it succeeds.
        // solhint-disable-next-line no-empty-blocks
        try scores.increaseScore(open, msg.sender, points) {} catch (bytes memory reason) {
            if (reason.length == 0) revert OutOfGas();
            emit NotScored(msg.sender, points, reason);
        }
    }

    /// @dev The open stage is the first one that is not finalized: each finalize opens the next. So a win moves on right after a
    /// finalize, and most wins only read.
    function _openStage() private returns (uint64 open) {
        open = stage;
        while (_isFinalized(open)) ++open;
        if (open != stage) stage = open;
    }

    function _isFinalized(uint64 number) private view returns (bool isFinalized) {
        (, , isFinalized) = scores.stages(number);
    }
}
