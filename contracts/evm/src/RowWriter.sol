// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IPublishedVipScore} from "./IPublishedVipScore.sol";
import {IVipScore} from "./IVipScore.sol";
import {Group, Stage} from "./Stage.sol";

/**
 * @title RowWriter
 * @notice Writes scores to a stage, row by row. {VipScore} checks that the stage is open.
 *
 * @dev Every call that writes begins a {Batch}, writes rows and commits. The batch keeps in memory what most rows of a call
 * change: the total, and the loaded bucket, which is stored when a row is in another one. So nothing else may run on the stage
 * until {commit}, least of all a second batch. After rows of ids 5, 6 and 300:
 *   in storage: groups with 5, 6, 300; bucket 0 with 5, 6, which `inBuckets` and `count` include
 *   in memory:                         bucket 1 with 300; the total of all three
 */
library RowWriter {
    struct Batch {
        uint64 stage;
        uint256 total;
        bool hasRows;
        // The loaded bucket, or NONE, and its bits.
        uint256 bucket;
        uint256 present;
    }

    uint256 private constant NONE = type(uint256).max;

    /// @dev Begins a batch of writes to a stage. The stage is consistent again after {commit}.
    function begin(Stage storage info) internal view returns (Batch memory batch) {
        batch.stage = info.stage;
        batch.total = info.totalScore;
        batch.bucket = NONE;
    }

    /// @dev Stores what is still in memory. A batch without a row changes nothing, the revision included.
    function commit(Stage storage info, Batch memory batch) internal {
        if (!batch.hasRows) return;
        _storeBucket(info, batch);
        info.totalScore = uint64(batch.total);
        ++info.revision;
    }

    /// @dev Sets the score of an account, which has this id.
    function write(Stage storage info, Batch memory batch, uint256 id, address addr, uint64 amount) internal {
        Group storage stored = info.groups[id / 4];
        uint256 amounts = stored.amounts;
        uint256 shift = 64 * (id % 4);
        uint64 previous = uint64(amounts >> shift);
        stored.amounts = amounts ^ (uint256(previous ^ amount) << shift);
        // An id whose score is not 0 has its bit already.
        if (previous == 0) markPresent(info, batch, id / 256, 1 << (id % 256));

        uint256 total = batch.total - previous + amount;
        if (total > type(uint64).max) revert IVipScore.TotalOverflow(batch.stage);
        batch.total = total;
        batch.hasRows = true;
        emit IPublishedVipScore.UpdateScore(addr, batch.stage, amount, uint64(total));
    }

    /// @dev Sets bits of a bucket, which becomes the loaded one.
    function markPresent(Stage storage info, Batch memory batch, uint256 bucket, uint256 bits) internal {
        if (bucket != batch.bucket) {
            _storeBucket(info, batch);
            batch.bucket = bucket;
            batch.present = info.present[bucket];
        }
        batch.present |= bits;
    }

    function _storeBucket(Stage storage info, Batch memory batch) private {
        if (batch.bucket == NONE) return;
        uint256 bucket = batch.bucket;
        uint256 added = _countBits(batch.present ^ info.present[bucket]);
        if (added == 0) return;
        info.present[bucket] = batch.present;
        // A bucket has 256 ids, so the number fits its 16 bits.
        info.inBuckets[bucket / 16] += added << (16 * (bucket % 16));
        info.count += uint32(added);
    }

    /// @dev The number of bits set in a word.
    function _countBits(uint256 bits) private pure returns (uint256 count) {
        // Each step clears the lowest bit.
        for (; bits != 0; bits &= bits - 1) ++count;
    }
}
