// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";

abstract contract Counted {
    uint256 public counted;
}

/// @dev No fault, but a contract whose ids are in other slots than the statements read.
contract ShiftedSlots is Counted, VipScore {
    constructor(uint64 initStage_) VipScore(initStage_) {}
}
