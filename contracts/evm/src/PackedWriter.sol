// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IVipScore} from "./IVipScore.sol";
import {RowWriter} from "./RowWriter.sol";
import {Group, Stage} from "./Stage.sol";

/**
 * @title PackedWriter
 * @notice Writes packed batches to a stage: up to four scores an entry, as {IVipScore-PackedScores} describes.
 *
 * @dev An entry has the same layout as the word of its group, so it replaces lanes (64 bits each) of one storage word.
 *
 * The arithmetic is unchecked. A sum of four u64 is below 2^66 and a batch has fewer than 2^30 entries, so no sum comes near
 * 2^256; what an entry subtracts from the total was added when it was written.
 */
library PackedWriter {
    using RowWriter for Stage;

    uint256 private constant LANE = type(uint64).max;

    // The group of an id is its quotient rounded down; the multiplications that follow use the rounded value on purpose.
    // slither-disable-start divide-before-multiply

    /// @dev Writes a packed batch. Returns how many scores it set, and the total after it.
    function writePacked(
        Stage storage info,
        IVipScore.PackedScores[] calldata entries,
        uint256 highestId
    ) internal returns (uint64 count, uint64) {
        RowWriter.Batch memory batch = info.begin();
        uint256 total = batch.total;
        uint256 highestKey = _highestKey(highestId);
        uint256 last = 0;
        for (uint256 i = 0; i < entries.length; ++i) {
            IVipScore.PackedScores calldata entry = entries[i];
            (uint256 key, uint256 amounts) = (entry.key, entry.amounts);
            (uint256 group, uint256 lanes) = (key / 16, key % 16);
            uint256 mask = _maskOf(lanes);
            if (key <= last || lanes == 0 || amounts & ~mask != 0) revert IVipScore.InvalidPackedScores(key);
            if (key > highestKey) revert IVipScore.UnknownAccount(4 * group + Math.log2(lanes));
            // The lowest lane of the first group would be id 0.
            if (group == 0 && lanes & 1 != 0) revert IVipScore.UnknownAccount(0);
            last = key | 15;

            Group storage stored = info.groups[group];
            uint256 previous = stored.amounts;
            stored.amounts = (previous & ~mask) | amounts;
            unchecked {
                info.markPresent(batch, group / 64, lanes << (4 * (group % 64)));
                total = total + _sumOf(amounts) - _sumOf(previous & mask);
                count += uint64(_lanesIn(lanes));
            }
        }
        if (total > type(uint64).max) revert IVipScore.TotalOverflow(batch.stage);
        batch.total = total;
        batch.hasRows = entries.length != 0;
        info.commit(batch);
        return (count, uint64(total));
    }

    /// @dev The key that selects all registered ids of the last group. A higher key selects an id that no account has. If 9 is the
    /// highest id, these are 8 and 9 in group 2:  16 * 2 + 0b0011,  and 9 % 4 = 1 gives the lanes as (2 << 1) - 1.
    function _highestKey(uint256 highestId) private pure returns (uint256) {
        return 16 * (highestId / 4) + (2 << (highestId % 4)) - 1;
    }

    // slither-disable-end divide-before-multiply

    /// @dev All bits of the lanes that four bits select.
    function _maskOf(uint256 lanes) private pure returns (uint256 mask) {
        if (lanes & 1 != 0) mask = LANE;
        if (lanes & 2 != 0) mask |= LANE << 64;
        if (lanes & 4 != 0) mask |= LANE << 128;
        if (lanes & 8 != 0) mask |= LANE << 192;
    }

    /// @dev How many lanes four bits select.
    function _lanesIn(uint256 lanes) private pure returns (uint256) {
        unchecked {
            return (lanes & 1) + ((lanes >> 1) & 1) + ((lanes >> 2) & 1) + (lanes >> 3);
        }
    }

    /// @dev The sum of the four lanes of a word.
    function _sumOf(uint256 amounts) private pure returns (uint256) {
        unchecked {
            return (amounts & LANE) + ((amounts >> 64) & LANE) + ((amounts >> 128) & LANE) + (amounts >> 192);
        }
    }
}
