// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ScoreStorage} from "./ScoreStorage.sol";

/**
 * @title ScoreWriter
 * @notice Writes scores to an open stage, row by row. {VipScore} checks who may do so.
 *
 * @dev Every function that writes begins a {Batch}, writes rows and commits. The batch keeps in memory what most rows of a call
 * change: the total, and the loaded bucket, which is stored when a row is in another one.
 */
abstract contract ScoreWriter is ScoreStorage {
    struct Batch {
        uint64 stage;
        uint256 total;
        bool hasRows;
        // The loaded bucket, or NONE, and its bits.
        uint256 bucket;
        uint256 present;
    }

    uint256 private constant NONE = type(uint256).max;

    /// @dev A batch of writes to an open stage. The stage is consistent again after {_commit}.
    function _begin(uint64 stage) internal view returns (Stage storage info, Batch memory batch) {
        info = _openStage(stage);
        batch.stage = stage;
        batch.total = info.totalScore;
        batch.bucket = NONE;
    }

    /// @dev Stores what is still in memory. A batch without a row changes nothing, the revision included.
    function _commit(Stage storage info, Batch memory batch) internal {
        if (!batch.hasRows) return;
        _storeBucket(info, batch);
        info.totalScore = uint64(batch.total);
        ++info.revision;
    }

    /// @dev Sets the score of one account. The zero address is skipped.
    function _writeRow(Stage storage info, Batch memory batch, address addr, uint64 amount) internal {
        if (addr == address(0)) return;
        uint256 id = _register(addr);
        Group storage stored = info.groups[id / 4];
        uint256 amounts = stored.amounts;
        uint256 shift = 64 * (id % 4);
        uint64 previous = uint64(amounts >> shift);
        stored.amounts = amounts ^ (uint256(previous ^ amount) << shift);
        // An id whose score is not 0 has its bit already.
        if (previous == 0) _markPresent(info, batch, id / 256, 1 << (id % 256));

        uint256 total = batch.total - previous + amount;
        if (total > type(uint64).max) revert TotalOverflow(batch.stage);
        batch.total = total;
        batch.hasRows = true;
        emit UpdateScore(addr, batch.stage, amount, uint64(total));
    }

    /// @dev Sets bits of a bucket, which becomes the loaded one.
    function _markPresent(Stage storage info, Batch memory batch, uint256 bucket, uint256 bits) internal {
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
        // Neither number exceeds its bits: a bucket has 256 ids, a span 4,096.
        info.inBuckets[bucket / 16] += added << (16 * (bucket % 16));
        info.inSpans[bucket / 128] += added << (32 * ((bucket / 16) % 8));
        info.count += uint32(added);
    }

    /// @dev The number of bits set in a word.
    function _countBits(uint256 bits) private pure returns (uint256 count) {
        // Each step clears the lowest bit.
        for (; bits != 0; bits &= bits - 1) ++count;
    }
}
