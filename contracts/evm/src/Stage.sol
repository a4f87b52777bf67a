// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @dev The scores of four ids, that of `id` in the u64 at bit `64 * (id % 4)`.
struct Group {
    uint256 amounts;
}

/**
 * @dev What {VipScore} keeps of a stage. SPEC.md has the slots (E17).
 *
 * An account is stored by its **id** (1, 2, 3, ...), which it gets when it is first seen and keeps in all stages. A stage has three
 * kinds of words, each covering more neighboring ids than the one before:
 *
 * - `groups[id / 4]`: the scores of 4 ids;
 * - `present[id / 256]`: a bucket, one bit for each of 256 ids, set if the id has a score, 0 included;
 * - `inBuckets[id / 4096]`: a span, how many bits are set in each of 16 buckets, 16 bits a number.
 *
 * The first makes writing cheap, the last lets a reader skip ids without a score.
 *
 * Invariants between calls: `totalScore` is the sum of all amounts in `groups`; `count` and the sum of the numbers in `inBuckets`
 * are the number of bits set in `present`; an id whose amount is not 0 has its bit; id 0 and ids that no account has have
 * neither bit nor amount.
 */
struct Stage {
    uint64 stage;
    uint64 totalScore;
    uint64 revision;
    uint32 count;
    bool isFinalized;
    mapping(uint256 group => Group) groups;
    mapping(uint256 bucket => uint256 bits) present;
    mapping(uint256 span => uint256 counts) inBuckets;
}

using {amountOf} for Stage global;

/// @dev The score of an id in a stage, 0 if it has none.
function amountOf(Stage storage info, uint256 id) view returns (uint64) {
    return uint64(info.groups[id / 4].amounts >> (64 * (id % 4)));
}
