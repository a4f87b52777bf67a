// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IPublishedVipScore} from "./IPublishedVipScore.sol";
import {IVipScore} from "./IVipScore.sol";
import {Stage} from "./Stage.sol";

/**
 * @title ScorePages
 * @notice Reads pages of a stage, in ascending order of account id.
 */
library ScorePages {
    uint64 private constant MAX_PAGE = 1_000;

    /// This many zero rows cost 4.2 M gas: if the stage has few rows, a call with any limit fits in the 10 M of a node.
    uint64 private constant MAX_PADDED_PAGE = 5_000;

    uint256 private constant SIXTEEN_ONES = 0x0001000100010001000100010001000100010001000100010001000100010001;

    /// @dev {IPublishedVipScore-getScores}.
    function pageByOffset(
        Stage storage info,
        address[] storage accounts,
        uint64 offset,
        uint64 limit
    ) internal view returns (IPublishedVipScore.ScoreResponse[] memory page) {
        uint64 count = info.count;
        uint64 rows = offset < count ? uint64(Math.min(limit, count - offset)) : 0;
        // A shorter page would hide rows from a reader who steps by the limit.
        if (rows > MAX_PADDED_PAGE) revert IVipScore.PageTooLarge(limit, MAX_PADDED_PAGE);
        page = new IPublishedVipScore.ScoreResponse[](Math.min(limit, MAX_PADDED_PAGE));
        if (rows == 0) return page;
        (uint256[] memory ids, ) = _idsFrom(info, _idAt(info, offset), rows, accounts.length);
        for (uint64 i = 0; i < rows; ++i) {
            uint256 id = ids[i];
            IPublishedVipScore.ScoreResponse memory row = page[i];
            (row.addr, row.amount, row.index) = (accounts[id - 1], info.amountOf(id), offset + i + 1);
        }
    }

    /// @dev {IVipScore-getScoresFrom}.
    function pageById(
        Stage storage info,
        address[] storage accounts,
        uint32 fromId,
        uint64 limit
    ) internal view returns (IVipScore.AccountScore[] memory rows, uint32 nextId) {
        uint256 size = Math.min(limit, MAX_PAGE);
        // One extra id shows whether there is a next page.
        (uint256[] memory ids, uint256 found) = _idsFrom(info, fromId, size + 1, accounts.length);
        if (found > size) nextId = uint32(ids[size]);
        rows = new IVipScore.AccountScore[](Math.min(found, size));
        for (uint256 i = 0; i < rows.length; ++i) {
            uint256 id = ids[i];
            IVipScore.AccountScore memory row = rows[i];
            (row.id, row.addr, row.amount) = (uint32(id), accounts[id - 1], info.amountOf(id));
        }
    }

    /**
     * @dev The ids from `fromId` on that have a score in a stage: at most `limit`, in the first `found` entries.
     * Spans and buckets without such an id are skipped. An empty stage is not searched, nor one whose rows are all found.
     */
    function _idsFrom(
        Stage storage info,
        uint256 fromId,
        uint256 limit,
        uint256 highestId
    ) private view returns (uint256[] memory ids, uint256 found) {
        limit = Math.min(limit, info.count);
        ids = new uint256[](limit);
        if (limit == 0) return (ids, found);
        uint256 firstBucket = fromId / 256;
        uint256 lastBucket = highestId / 256;
        for (uint256 bucket = firstBucket; bucket <= lastBucket; ++bucket) {
            uint256 counts = info.inBuckets[bucket / 16] >> (16 * (bucket % 16));
            // Go to the last bucket of the span if the others have no score either.
            if (counts == 0) bucket |= 15;
            if (uint16(counts) == 0) continue;
            uint256 bits = info.present[bucket];
            if (bucket == firstBucket) bits &= type(uint256).max << (fromId % 256);
            // Each step clears the lowest bit.
            for (; bits != 0; bits &= bits - 1) {
                // The bucket is rounded down on purpose.
                // slither-disable-next-line divide-before-multiply
                ids[found++] = 256 * bucket + _lowestBit(bits);
                if (found == limit) return (ids, found);
            }
        }
    }

    // The id of the row of a stage after the first `skip` ones. There must be one. With 12 to skip:
    //   rows in spans               9, 7, ...      9 of them are in span 0: it is in span 1, with 3 left to skip
    //   rows in buckets of span 1   0, 2, 5, ...   it is in the third, with 1 left to skip
    //   bits of that bucket         .1.11.1        it is the second
    function _idAt(Stage storage info, uint256 skip) private view returns (uint256) {
        uint256 span = 0;
        for (uint256 found = _countIn(info.inBuckets[0]); found <= skip; found = _countIn(info.inBuckets[++span]))
            skip -= found;
        uint256 bucket = 16 * span;
        for (uint256 counts = info.inBuckets[span]; uint16(counts) <= skip; counts >>= 16) {
            skip -= uint16(counts);
            ++bucket;
        }
        uint256 bits = info.present[bucket];
        for (; skip != 0; --skip) bits &= bits - 1;
        return 256 * bucket + _lowestBit(bits);
    }

    /// @dev The sum of the sixteen numbers in the word of a span, at most 4,096.
    function _countIn(uint256 counts) private pure returns (uint256) {
        // The product with a word of sixteen ones has the sum in its highest number.
        unchecked {
            return (counts * SIXTEEN_ONES) >> 240;
        }
    }

    /// @dev The position of the lowest bit set in a word, which is not 0.
    function _lowestBit(uint256 bits) private pure returns (uint256) {
        return Math.log2(bits & (~bits + 1));
    }
}
