// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";

contract Scores is VipScore {
    constructor(uint64 initStage) VipScore(initStage) {}
}
