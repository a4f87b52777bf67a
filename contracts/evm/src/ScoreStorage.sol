// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IVipScore} from "./IVipScore.sol";

/**
 * @title ScoreStorage
 * @notice Where {VipScore} keeps accounts, stages and scores. docs/spec.md has the slots (E17).
 *
 * @dev An account is stored by its **id** (1, 2, 3, ...), which it gets when it is first seen and keeps in all stages. A stage
 * has four kinds of words, each covering more neighboring ids than the one before:
 *
 * - `groups[id / 4]`: the scores of 4 ids, that of `id` in the u64 at bit `64 * (id % 4)`;
 * - `present[id / 256]`: a bucket, one bit for each of 256 ids, set if the id has a score, 0 included;
 * - `inBuckets[id / 4096]`: how many bits are set in each of 16 buckets, 16 bits a number;
 * - `inSpans[id / 32768]`: how many bits are set in each of 8 spans of 4,096 ids, 32 bits a number.
 *
 * The first makes writing cheap, the last two let a reader skip ids without a score.
 *
 * Invariants between calls, for each stage: `totalScore` is the sum of all amounts in `groups`; `count`, the sum of the numbers
 * in `inBuckets` and that of the numbers in `inSpans` are the number of bits set in `present`; an id whose amount is not 0
 * has its bit; id 0 and ids that no account has have neither bit nor amount.
 */
abstract contract ScoreStorage is IVipScore {
    struct Group {
        uint256 amounts;
    }

    struct Stage {
        uint64 stage;
        uint64 totalScore;
        uint64 revision;
        uint32 count;
        bool isFinalized;
        mapping(uint256 group => Group) groups;
        mapping(uint256 bucket => uint256 bits) present;
        mapping(uint256 span => uint256 counts) inBuckets;
        mapping(uint256 block => uint256 counts) inSpans;
    }

    // The account with id 1 is at index 0.
    address[] internal _accounts;
    mapping(address account => uint256 id) internal _ids;
    mapping(uint64 stage => Stage) internal _stages;

    function _createStage(uint64 stage) internal {
        if (stage == 0) revert ZeroStage();
        _stages[stage].stage = stage;
        emit CreateStage(stage);
    }

    /// @dev A stage that exists and is not finalized.
    function _openStage(uint64 stage) internal view returns (Stage storage info) {
        info = _stages[stage];
        if (info.stage == 0) revert StageNotFound(stage);
        if (info.isFinalized) revert StageFinalized(stage);
    }

    /// @dev The id of an account, which gets one if it has none.
    function _register(address addr) internal returns (uint256 id) {
        id = _ids[addr];
        if (id != 0) return id;
        id = SafeCast.toUint32(_accounts.length + 1);
        _accounts.push(addr);
        _ids[addr] = id;
    }

    /// @dev The score of an account in a stage, 0 if it has none.
    function _amountOf(Stage storage info, uint256 id) internal view returns (uint64) {
        return uint64(info.groups[id / 4].amounts >> (64 * (id % 4)));
    }
}
