// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Arena} from "../contracts/Arena.sol";
import {CappedScores} from "../contracts/CappedScores.sol";

/// @notice Runs in Hardhat and in Foundry. A test fails if it reverts.
contract ArenaTest {
    CappedScores private scores;
    Arena private arena;

    function setUp() external {
        scores = new CappedScores(1);
        arena = new Arena(scores);
        scores.addAllowList(address(arena));
    }

    function test_A_win_scores() external {
        arena.win(5);
        arena.win(7);
        (, uint64 score) = scores.scores(1, address(this));
        require(score == 12, "the sum of the wins");
    }

    function test_A_win_survives_the_cap() external {
        arena.win(scores.CAP());
        arena.win(1);
        require(scores.getStage(1).totalScore == scores.CAP(), "the cap");
    }

    function test_A_win_scores_in_the_open_stage() external {
        scores.finalizeStage(1);
        arena.win(5);
        require(arena.stage() == 2, "the open stage");
        require(scores.getStage(2).totalScore == 5, "the score");
    }
}
