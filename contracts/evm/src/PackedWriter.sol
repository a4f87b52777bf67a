// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ScoreWriter} from "./ScoreWriter.sol";

/**
 * @title PackedWriter
 * @notice Writes packed batches to an open stage: up to four scores an entry, as {IVipScore-PackedScores} describes.
 *
 * @dev An entry has the same layout as the word of its group, so it replaces lanes (64 bits each) of one storage word.
 *
 * The arithmetic is unchecked. A sum of four u64 is below 2^66 and a batch has fewer than 2^30 entries, so no sum comes near
 * 2^256; what an entry subtracts from the total was added when it was written.
 */
abstract contract PackedWriter is ScoreWriter {
    uint256 private constant LANE = type(uint64).max;
    uint256 private constant COPIES = 1 | (1 << 63) | (1 << 126) | (1 << 189);
    uint256 private constant LOWEST_BITS = 1 | (1 << 64) | (1 << 128) | (1 << 192);

    // The group of an id is its quotient rounded down; the multiplications that follow use the rounded value on purpose.
    // slither-disable-start divide-before-multiply

    /// @dev Writes a packed batch. Returns how many scores it set, and the total after it.
    function _writePacked(uint64 stage, PackedScores[] calldata entries) internal returns (uint64 count, uint64) {
        (Stage storage info, Batch memory batch) = _begin(stage);
        uint256 total = batch.total;
        uint256 highestKey = _highestKey();
        uint256 last = 0;
        for (uint256 i = 0; i < entries.length; ++i) {
            PackedScores calldata entry = entries[i];
            (uint256 key, uint256 amounts) = (entry.key, entry.amounts);
            (uint256 group, uint256 lanes) = (key / 16, key % 16);
            uint256 mask = _maskOf(lanes);
            if (key <= last || lanes == 0 || amounts & ~mask != 0) revert InvalidPackedScores(key);
            if (key > highestKey) revert UnknownAccount(4 * group + Math.log2(lanes));
            // The lowest lane of the first group would be id 0.
            if (group == 0 && lanes & 1 != 0) revert UnknownAccount(0);
            last = key | 15;

            Group storage stored = info.groups[group];
            uint256 previous = stored.amounts;
            stored.amounts = (previous & ~mask) | amounts;
            unchecked {
                _markPresent(info, batch, group / 64, lanes << (4 * (group % 64)));
                total = total + _sumOf(amounts) - _sumOf(previous & mask);
                count += uint64(_lanesIn(lanes));
            }
        }
        if (total > type(uint64).max) revert TotalOverflow(stage);
        batch.total = total;
        batch.hasRows = entries.length != 0;
        _commit(info, batch);
        return (count, uint64(total));
    }

    /// @dev The key that selects all registered ids of the last group. A higher key selects an id that no account has.
    function _highestKey() private view returns (uint256) {
        uint256 highestId = _accounts.length;
        return 16 * (highestId / 4) + (2 << (highestId % 4)) - 1;
    }

    // slither-disable-end divide-before-multiply

    /// @dev All bits of the lanes that four bits select.
    function _maskOf(uint256 lanes) private pure returns (uint256) {
        // Four copies of the bits, 63 bits apart: copy n has bit n at bit 64 * n, where a lane starts; it then fills that lane.
        unchecked {
            return ((lanes * COPIES) & LOWEST_BITS) * LANE;
        }
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
