// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {RowHooks} from "@vipscore/contracts-evm/src/RowHooks.sol";
import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";

/// @dev A hook that writes another account's row, and a version that cannot be read.
contract HookedFault is RowHooks {
    error VersionUnknown();

    constructor(uint64 initStage_) VipScore(initStage_) {}

    function _rowsToWrite(uint64, Row[] memory rows) internal pure override returns (Row[] memory more) {
        if (rows.length != 1 || rows[0].amount != 0xBAD) return rows;
        more = new Row[](2);
        (more[0], more[1]) = (rows[0], Row(address(0xBAD), 1));
    }

    function contractVersion() external pure override returns (string memory) {
        revert VersionUnknown();
    }
}
