// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {ScoreStorage} from "./ScoreStorage.sol";

/**
 * @title ScoreWriter
 * @notice Writes scores to an open stage, in batches. Who may do so is {VipScore}'s business.
 *
 * @dev A {Batch} holds the words being edited in memory and stores a word when a row lies in another one.
 *
 * Why the arithmetic on totals may be unchecked: an amount is below 2^64 and there are fewer than 2^32 accounts, so no sum
 * comes near 2^256, and the total contains every amount that is taken from it.
 */
abstract contract ScoreWriter is ScoreStorage {
    struct Batch {
        uint64 stage;
        uint256 base;
        uint256 total;
        uint256 count;
        // The loaded word of amounts.
        uint256 group;
        uint256 word;
        // The loaded word of `Stage.present`, and how many bits it gained.
        uint256 bucket;
        uint256 present;
        uint256 added;
        // The number of accounts, 0 as long as no account was registered.
        uint256 accounts;
    }

    /// @dev A batch of writes to an open stage. The stage is consistent again after {_commit}.
    function _begin(uint64 stage) internal view returns (Batch memory batch) {
        Stage storage info = _openStage(stage);
        batch.stage = stage;
        batch.base = _wordsOf(stage);
        batch.total = info.totalScore;
        batch.count = info.count;
        batch.group = NONE;
        batch.bucket = NONE;
    }

    /// @dev Nothing to do, and no new revision, for a batch without a row.
    function _commit(Batch memory batch, bool wroteRows) internal {
        if (!wroteRows) return;
        if (batch.group != NONE) _word(batch, batch.group).value = batch.word;
        _storePresent(batch);
        if (batch.accounts != 0) _accountCount = SafeCast.toUint32(batch.accounts);
        Stage storage info = _stages[batch.stage];
        info.totalScore = uint64(batch.total);
        info.count = uint32(batch.count);
        ++info.revision;
    }

    /// @dev Sets every score of a list and emits an event for each. This is the hot path: 500 rows cost 6.3 k gas each when
    /// they overwrite, of which 5.9 k are the prices of calldata, event and storage.
    function _setAll(Batch memory batch, address[] calldata addrs, uint64[] calldata amounts) internal {
        uint64 stage = batch.stage;
        uint256 total = batch.total;
        uint256 seen = 0;
        (uint256 row, uint256 end, uint256 distance) = _rows(addrs, amounts);
        for (; row != end; row = _next(row)) {
            (uint256 addr, uint256 amount) = _read(row, distance);
            uint256 position = _slot(POSITIONS | addr).value;
            uint256 score = (batch.word >> (position & 0xff)) & U64;
            // Both conditions in one jump.
            if (((position >> 8) ^ batch.group) | _isZero(score) != 0) {
                (position, score) = _load(batch, addr, position);
                if (position == 0) continue;
            }
            batch.word ^= (score ^ amount) << (position & 0xff);
            unchecked {
                total = total + amount - score;
            }
            seen |= total | amount | (addr >> 96);
            _emitUpdateScore(addr, stage, amount, total);
        }
        // No amount and no total had a bit above the lowest 64 and no address one above 160: all rows were what they seemed.
        if (seen > U64) revert TotalOverflow(stage);
        batch.total = total;
    }

    /// @dev Makes `addr` the account of the loaded word and present in the stage. Position 0: the zero address.
    function _load(
        Batch memory batch,
        uint256 addr,
        uint256 knownPosition
    ) private returns (uint256 position, uint256 score) {
        position = knownPosition;
        if (position == 0) {
            if (addr == 0) return (0, 0);
            position = _register(batch, addr);
        }
        uint256 group = position >> 8;
        if (group != batch.group) {
            if (batch.group != NONE) _word(batch, batch.group).value = batch.word;
            batch.group = group;
            batch.word = _word(batch, group).value;
        }
        score = (batch.word >> (position & 0xff)) & U64;
        // A score other than 0 is present already.
        if (score == 0) _markPresent(batch, position >> 6);
    }

    /// @dev {_load} for a caller who has not looked the account up.
    function _loadAccount(Batch memory batch, address addr) internal returns (uint256 position, uint256 score) {
        return _load(batch, uint160(addr), _positionOf(addr));
    }

    /// @dev Replaces the score found by {_load} and emits the event.
    function _replace(Batch memory batch, address addr, uint256 position, uint256 score, uint64 amount) internal {
        batch.word ^= (score ^ amount) << (position & 0xff);
        uint256 total = batch.total + amount - score;
        if (total > U64) revert TotalOverflow(batch.stage);
        batch.total = total;
        emit UpdateScore(addr, batch.stage, amount, uint64(total));
    }

    /// @dev Sets the scores of a packed batch and returns how many there were.
    function _setPacked(Batch memory batch, PackedScores[] calldata groups) internal returns (uint256 written) {
        if (groups.length == 0) return 0;
        // Before the first write: a key out of range would address a slot of something else.
        _checkIds(groups[0].key, groups[groups.length - 1].key);
        uint256 total = batch.total;
        uint256 last = 0;
        uint256 entry = _entries(groups);
        for (uint256 left = groups.length; left != 0; --left) {
            (uint256 key, uint256 amounts) = _read(entry, 32);
            uint256 lanes = key & 15;
            uint256 mask = _maskOf(lanes);
            if (key <= last) revert InvalidPackedScores(key);
            if ((amounts & ~mask) | _isZero(lanes) != 0) revert InvalidPackedScores(key);
            last = key | 15;
            entry = _next(_next(entry));
            StorageSlot.Uint256Slot storage slot = _word(batch, key >> 4);
            uint256 word = slot.value;
            slot.value = (word & ~mask) | amounts;
            unchecked {
                total = total + _gain(word & mask, amounts);
                written += _countOf(lanes);
            }
            if (key >> 10 != batch.bucket) _loadPresent(batch, key >> 10);
            uint256 shift = (key >> 2) & 0xfc;
            uint256 added = lanes & ~(batch.present >> shift);
            if (added != 0) {
                batch.present |= added << shift;
                unchecked {
                    batch.added += _countOf(added);
                }
            }
        }
        if (total > U64) revert TotalOverflow(batch.stage);
        batch.total = total;
    }

    /// @dev The keys ascend, or {_setPacked} reverts, so all ids of the batch exist if the lowest and the highest do.
    function _checkIds(uint256 firstKey, uint256 lastKey) private view {
        if (firstKey < 16 && firstKey & 1 != 0) revert UnknownAccount(0);
        uint256 highest = ((lastKey >> 4) << 2) + Math.log2(lastKey & 15);
        if (highest > _accountCount) revert UnknownAccount(highest);
    }

    function _registerAll(address[] calldata addrs) internal {
        Batch memory batch;
        for (uint256 i = 0; i < addrs.length; ++i) {
            if (addrs[i] == address(0)) revert InvalidAddress(address(0));
            if (_positionOf(addrs[i]) == 0) _register(batch, uint160(addrs[i]));
        }
        if (batch.accounts != 0) _accountCount = SafeCast.toUint32(batch.accounts);
    }

    function _register(Batch memory batch, uint256 addr) private returns (uint256 position) {
        uint256 id = batch.accounts;
        if (id == 0) id = _accountCount;
        unchecked {
            ++id;
        }
        batch.accounts = id;
        _accounts[id] = addr;
        position = id << 6;
        _slot(POSITIONS | addr).value = position;
    }

    function _markPresent(Batch memory batch, uint256 id) private {
        uint256 bucket = id >> 8;
        if (bucket != batch.bucket) _loadPresent(batch, bucket);
        uint256 bit = 1 << (id & 0xff);
        if (batch.present & bit != 0) return;
        batch.present |= bit;
        unchecked {
            ++batch.added;
        }
    }

    function _loadPresent(Batch memory batch, uint256 bucket) private {
        _storePresent(batch);
        batch.bucket = bucket;
        batch.present = _stages[batch.stage].present[bucket];
    }

    function _storePresent(Batch memory batch) private {
        uint256 added = batch.added;
        if (added == 0) return;
        Stage storage info = _stages[batch.stage];
        uint256 bucket = batch.bucket;
        info.present[bucket] = batch.present;
        unchecked {
            // A bucket has 256 bits, so its 16-bit lane cannot overflow into the next one.
            info.counts[bucket >> 4] += added << ((bucket & 15) << 4);
            batch.count += added;
        }
        batch.added = 0;
    }

    // Words and lanes

    function _word(Batch memory batch, uint256 group) private pure returns (StorageSlot.Uint256Slot storage) {
        unchecked {
            return _slot(batch.base + group);
        }
    }

    /// @dev All bits of the lanes chosen by the lowest four bits of `lanes`.
    function _maskOf(uint256 lanes) private pure returns (uint256) {
        if (lanes == 15) return NONE;
        return
            ((lanes & 1) * U64) |
            ((((lanes >> 1) & 1) * U64) << 64) |
            ((((lanes >> 2) & 1) * U64) << 128) |
            ((((lanes >> 3) & 1) * U64) << 192);
    }

    /// @dev Sum of the lanes of `current` minus that of `previous`, modulo 2^256.
    function _gain(uint256 previous, uint256 current) private pure returns (uint256) {
        unchecked {
            return
                ((current & U64) + ((current >> 64) & U64) + ((current >> 128) & U64) + (current >> 192)) -
                ((previous & U64) + ((previous >> 64) & U64) + ((previous >> 128) & U64) + (previous >> 192));
        }
    }

    /// @dev The number of bits in a nibble: digit `nibble` of the constant.
    function _countOf(uint256 nibble) private pure returns (uint256) {
        return (0x4332322132212110 >> (nibble << 2)) & 0xf;
    }

    // What Solidity would do with more gas a row than the targets of docs/spec.md leave: two lists read in step without checking
    // two bounds a row, a flag from a comparison without a jump, an event without cleaning its arguments again.

    /// @dev `emit UpdateScore(addr, stage, amount, total)`; {_setAll} checks that the last two are u64.
    function _emitUpdateScore(uint256 addr, uint64 stage, uint256 amount, uint256 total) private {
        bytes32 topic = UpdateScore.selector;
        assembly ("memory-safe") {
            mstore(0, amount)
            mstore(32, total)
            log3(0, 64, topic, addr, stage)
        }
    }

    function _isZero(uint256 value) private pure returns (uint256 flag) {
        assembly ("memory-safe") {
            flag := iszero(value)
        }
    }

    function _next(uint256 row) private pure returns (uint256) {
        unchecked {
            return row + 32;
        }
    }

    /// @dev `row` to `end`: the calldata words of `addrs`. The amount of a row lies `distance` after it. Equal lengths.
    function _rows(
        address[] calldata addrs,
        uint64[] calldata amounts
    ) private pure returns (uint256 row, uint256 end, uint256 distance) {
        assembly ("memory-safe") {
            row := addrs.offset
            end := add(row, shl(5, addrs.length))
            distance := sub(amounts.offset, row)
        }
    }

    /// @dev The first of the calldata words of `groups`, two an entry.
    function _entries(PackedScores[] calldata groups) private pure returns (uint256 entry) {
        assembly ("memory-safe") {
            entry := groups.offset
        }
    }

    /// @dev Two calldata words as they came: the caller checks them.
    function _read(uint256 row, uint256 distance) private pure returns (uint256 first, uint256 second) {
        assembly ("memory-safe") {
            first := calldataload(row)
            second := calldataload(add(row, distance))
        }
    }
}
