// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";
import {VipScoreProofs} from "@vipscore/contracts-evm/proofs/VipScoreProofs.sol";
import {CappedScores} from "../contracts/CappedScores.sol";

/// @notice What {CappedScores} never does, for halmos to prove.
contract CappedScoresProofs is VipScoreProofs {
    function deployScores() internal override returns (VipScore) {
        return new CappedScores(1);
    }

    function contractName() internal pure override returns (string memory) {
        return "CappedScores";
    }
}
