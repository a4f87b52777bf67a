// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ScoreStorage} from "./ScoreStorage.sol";

/**
 * @title ScorePages
 * @notice The views on stages, accounts and scores. Pages are in ascending order of account id.
 */
abstract contract ScorePages is ScoreStorage {
    uint64 private constant MAX_PAGE = 1_000;

    /// This many zero rows cost 4.2 M gas: if the stage has few rows, a call with any limit fits in the 10 M of a node.
    uint64 private constant MAX_PADDED_PAGE = 5_000;

    // Stages

    function stages(uint64 number) external view override returns (uint64 stage, uint64 totalScore, bool isFinalized) {
        Stage storage info = _stages[number];
        return (info.stage, info.totalScore, info.isFinalized);
    }

    function getStage(uint64 stage) external view override returns (StageInfo memory) {
        Stage storage info = _stages[stage];
        return StageInfo(info.stage, info.totalScore, info.count, info.revision, info.isFinalized);
    }

    function scoreCount(uint64 stage) external view override returns (uint64) {
        return _stages[stage].count;
    }

    // Accounts

    function accountCount() external view override returns (uint32) {
        return uint32(_accounts.length);
    }

    function accountOf(uint32 id) external view override returns (address) {
        return id == 0 || id > _accounts.length ? address(0) : _accounts[id - 1];
    }

    function idsOf(address[] calldata addrs) external view override returns (uint32[] memory ids) {
        ids = new uint32[](addrs.length);
        for (uint256 i = 0; i < addrs.length; ++i) ids[i] = uint32(_ids[addrs[i]]);
    }

    // Scores

    function scores(uint64 stage, address addr) external view override returns (bool isIndexed, uint64 amount) {
        Stage storage info = _stages[stage];
        uint256 id = _ids[addr];
        return ((info.present[id / 256] >> (id % 256)) & 1 != 0, _amountOf(info, id));
    }

    function getScores(
        uint64 stage,
        uint64 offset,
        uint64 limit
    ) external view override returns (ScoreResponse[] memory) {
        uint64 rows = _rowsOf(stage, offset, limit, MAX_PADDED_PAGE);
        return _page(stage, offset, rows, uint64(Math.min(limit, MAX_PADDED_PAGE)));
    }

    function getScoresPage(
        uint64 stage,
        uint64 offset,
        uint64 limit
    ) external view override returns (ScoreResponse[] memory) {
        uint64 rows = _rowsOf(stage, offset, limit, MAX_PAGE);
        return _page(stage, offset, rows, rows);
    }

    function getScoresFrom(
        uint64 stage,
        uint32 fromId,
        uint64 limit
    ) external view override returns (AccountScore[] memory rows, uint32 nextId) {
        Stage storage info = _stages[stage];
        uint256 size = Math.min(limit, MAX_PAGE);
        // One extra id shows whether there is a next page.
        (uint256[] memory ids, uint256 found) = _idsIn(info, fromId, 0, size + 1);
        if (found > size) nextId = uint32(ids[size]);
        rows = new AccountScore[](Math.min(found, size));
        for (uint256 i = 0; i < rows.length; ++i) {
            uint256 id = ids[i];
            AccountScore memory row = rows[i];
            (row.id, row.addr, row.amount) = (uint32(id), _accounts[id - 1], _amountOf(info, id));
        }
    }

    /// @dev The number of rows in a page. Reverts above `max` rows, so that no reader silently loses rows.
    function _rowsOf(uint64 stage, uint64 offset, uint64 limit, uint64 max) private view returns (uint64) {
        uint64 count = _stages[stage].count;
        uint64 rows = offset < count ? uint64(Math.min(limit, count - offset)) : 0;
        if (rows > max) revert PageTooLarge(limit, max);
        return rows;
    }

    /// @dev `rows` existing rows from `offset` on, in a list of `size`.
    function _page(
        uint64 stage,
        uint64 offset,
        uint64 rows,
        uint64 size
    ) private view returns (ScoreResponse[] memory page) {
        Stage storage info = _stages[stage];
        (uint256[] memory ids, ) = _idsIn(info, 0, offset, rows);
        page = new ScoreResponse[](size);
        for (uint64 i = 0; i < rows; ++i) {
            uint256 id = ids[i];
            ScoreResponse memory row = page[i];
            (row.addr, row.amount, row.index) = (_accounts[id - 1], _amountOf(info, id), offset + i + 1);
        }
    }

    /**
     * @dev The ids that have a score in a stage, from `fromId` on, without the first `skip` of them: at most `limit`, the first
     * `found` entries. Spans and buckets that hold none, or only ids to skip, are not read.
     */
    function _idsIn(
        Stage storage info,
        uint256 fromId,
        uint256 skip,
        uint256 limit
    ) private view returns (uint256[] memory ids, uint256 found) {
        ids = new uint256[](limit);
        if (limit == 0) return (ids, 0);
        uint256 lastSpan = _accounts.length / 4096;
        for (uint256 span = fromId / 4096; span <= lastSpan; ++span) {
            uint256 inSpan = uint32(info.inSpans[span / 8] >> (32 * (span % 8)));
            if (inSpan <= skip) {
                skip -= inSpan;
                continue;
            }
            uint256 counts = info.inBuckets[span];
            // The first bucket of the span: the quotient is rounded down on purpose.
            // slither-disable-next-line divide-before-multiply
            for (uint256 bucket = 16 * span; counts != 0; (++bucket, counts >>= 16)) {
                if (bucket < fromId / 256) continue;
                uint256 inBucket = uint16(counts);
                if (inBucket <= skip) {
                    skip -= inBucket;
                    continue;
                }
                uint256 bits = info.present[bucket];
                // Each step clears the lowest bit.
                for (; bits != 0; bits &= bits - 1) {
                    uint256 id = 256 * bucket + Math.log2(bits & (~bits + 1));
                    if (id < fromId) continue;
                    if (skip != 0) --skip;
                    else ids[found++] = id;
                    if (found == limit) return (ids, found);
                }
            }
        }
    }
}
