// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";
import {VipScoreProofs} from "@vipscore/contracts-evm/proofs/VipScoreProofs.sol";

interface Environment {
    function envString(string calldata name) external view returns (string memory);
    function envUint(string calldata name) external view returns (uint256);
    function envBool(string calldata name) external view returns (bool);
    function envBytes(string calldata name) external view returns (bytes memory);
}

/// @dev The statements for the contract with this name and this creation code: for the bytes of an artifact, and for faults.
contract CheckedScoresProofs is VipScoreProofs {
    Environment private constant env = Environment(address(vm));

    function deployScores() internal override returns (VipScore scores) {
        bytes memory code = abi.encodePacked(env.envBytes("SCORES_CODE"), uint256(1), env.envUint("SCORES_FAULT"));
        assembly ("memory-safe") {
            scores := create(0, add(code, 32), mload(code))
        }
        require(address(scores) != address(0), "not deployed");
    }

    function contractName() internal view override returns (string memory) {
        return env.envString("SCORES_NAME");
    }

    function mayRefuseToFinalize() internal view override returns (bool) {
        return env.envBool("SCORES_MAY_REFUSE");
    }
}
