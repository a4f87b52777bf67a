// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {IVipScore} from "./IVipScore.sol";

/**
 * @title ScoreStorage
 * @notice Where {VipScore} keeps accounts, stages and scores, and how they are read. docs/spec.md E16 to E18.
 *
 * @dev An account is stored by its **id** (1, 2, 3, ...), which it gets once, when it is first seen, and keeps in all stages.
 * The score of an account is the u64 at bit **position** `64 * id` of its stage, so four neighbouring ids share a word:
 * word (**group**) `position / 256`, shift `position % 256`. Position 0 belongs to nobody and stands for "unknown".
 *
 * Invariants between calls, for each stage: `totalScore` is the sum of all amounts; `count` is the number of bits in
 * `present`; the 16-bit lanes of `counts` are the number of bits in each word of `present`; an amount other than 0 has its bit
 * in `present`.
 */
abstract contract ScoreStorage is IVipScore {
    struct Stage {
        uint64 stage;
        uint64 totalScore;
        uint64 revision;
        uint32 count;
        bool isFinalized;
        // One bit an id: bit `id % 256` of word `id / 256`.
        mapping(uint256 bucket => uint256 bits) present;
        // Number of bits in 16 words of `present`, 16 bits each: lane `bucket % 16` of word `bucket / 16`.
        mapping(uint256 span => uint256 lanes) counts;
    }

    uint256 internal constant U64 = type(uint64).max;
    uint256 internal constant NONE = type(uint256).max;

    /**
     * The position of account `a` is the word at slot `POSITIONS + a`. A mapping would cost a hash a row. The 2^160 slots
     * begin at a hash whose low 160 bits are cleared, so no other slot lies among them, short of a hash collision.
     */
    uint256 internal constant POSITIONS = uint256(keccak256("vipscore.positions")) << 160;

    /// The words of amounts of a stage are consecutive, from the slot that {_wordsOf} gives.
    bytes32 internal constant WORDS = keccak256("vipscore.words");

    uint32 internal _accountCount;
    // By id. Addresses as whole words, because storing a part of a word means reading it first.
    uint256[1 << 32] internal _accounts;
    mapping(uint64 stage => Stage) internal _stages;

    // Stages

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

    function _stage(uint64 stage) internal view returns (Stage storage) {
        return _stages[stage];
    }

    // Reading

    function _idOf(address addr) internal view returns (uint32) {
        return uint32(_positionOf(addr) >> 6);
    }

    function _accountOf(uint32 id) internal view returns (address) {
        return address(uint160(_accounts[id]));
    }

    function _isPresent(uint64 stage, uint256 id) internal view returns (bool) {
        return (_stages[stage].present[id >> 8] >> (id & 0xff)) & 1 != 0;
    }

    function _amountOf(uint64 stage, uint256 id) internal view returns (uint64) {
        return uint64(_slot(_wordsOf(stage) + (id >> 2)).value >> ((id & 3) << 6));
    }

    /// @dev The ids present in a stage from `fromId` on, at most `limit`: the first `found` entries. Without the first `skip`
    /// of the stage, for a caller who starts at id 0.
    function _idsIn(
        uint64 stage,
        uint256 fromId,
        uint256 skip,
        uint256 limit
    ) internal view returns (uint256[] memory ids, uint256 found) {
        Stage storage info = _stages[stage];
        ids = new uint256[](limit);
        if (limit == 0) return (ids, 0);
        uint256 lastSpan = uint256(_accountCount) >> 12;
        unchecked {
            for (uint256 span = fromId >> 12; span <= lastSpan; ++span) {
                uint256 lanes = info.counts[span];
                if (span == fromId >> 12) lanes &= NONE << (((fromId >> 8) & 15) << 4);
                uint256 bucket = span << 4;
                for (; lanes != 0; lanes >>= 16) {
                    uint256 inBucket = lanes & 0xffff;
                    if (inBucket <= skip) {
                        skip -= inBucket;
                    } else {
                        uint256 bits = info.present[bucket];
                        if (bucket == fromId >> 8) bits &= NONE << (fromId & 0xff);
                        // Without the lowest `skip` bits, then one bit at a time.
                        for (; skip != 0; --skip) bits &= bits - 1;
                        for (; bits != 0; bits &= bits - 1) {
                            ids[found] = (bucket << 8) | Math.log2(bits & (~bits + 1));
                            if (++found == limit) return (ids, found);
                        }
                    }
                    ++bucket;
                }
            }
        }
    }

    /// @dev The scores of the first `size` of `ids`, which ascend, so that each word is read once.
    function _amountsOf(
        uint64 stage,
        uint256[] memory ids,
        uint256 size
    ) internal view returns (uint64[] memory amounts) {
        amounts = new uint64[](size);
        uint256 base = _wordsOf(stage);
        uint256 group = NONE;
        uint256 word = 0;
        unchecked {
            for (uint256 i = 0; i < size; ++i) {
                uint256 id = ids[i];
                if (id >> 2 != group) {
                    group = id >> 2;
                    word = _slot(base + group).value;
                }
                amounts[i] = uint64(word >> ((id & 3) << 6));
            }
        }
    }

    // Slots

    function _slot(uint256 slot) internal pure returns (StorageSlot.Uint256Slot storage) {
        return StorageSlot.getUint256Slot(bytes32(slot));
    }

    function _wordsOf(uint64 stage) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(stage, WORDS)));
    }

    function _positionOf(address addr) internal view returns (uint256) {
        return _slot(POSITIONS | uint160(addr)).value;
    }
}
