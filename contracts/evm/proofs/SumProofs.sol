// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {AnyState} from "./AnyState.sol";

/**
 * @title SumProofs
 * @notice A call sets the scores that it names, changes the total by what they change, and no other score.
 *
 * @dev {VipScoreProofs} says of which states.
 */
abstract contract SumProofs is AnyState {
    function check_sum_updateScore(
        uint64 stage,
        address addr,
        uint64 amount,
        uint64 otherStage,
        uint256 otherId,
        address caller
    ) public {
        Sums memory a = _sumsOf(stage, [addr, address(0)], otherStage, otherId);
        if (_call(caller, 0, abi.encodeCall(target.updateScore, (stage, addr, amount)))) _checkSums(a, [amount, 0]);
    }

    function check_sum_increaseScore(
        uint64 stage,
        address addr,
        uint64 amount,
        uint64 otherStage,
        uint256 otherId,
        address caller
    ) public {
        Sums memory a = _sumsOf(stage, [addr, address(0)], otherStage, otherId);
        if (!_call(caller, 0, abi.encodeCall(target.increaseScore, (stage, addr, amount)))) return;
        // Checked, an overflow would end the statement without a counterexample.
        unchecked {
            _checkSums(a, [a.scores[0] + amount, 0]);
        }
    }

    function check_sum_decreaseScore(
        uint64 stage,
        address addr,
        uint64 amount,
        uint64 otherStage,
        uint256 otherId,
        address caller
    ) public {
        Sums memory a = _sumsOf(stage, [addr, address(0)], otherStage, otherId);
        if (!_call(caller, 0, abi.encodeCall(target.decreaseScore, (stage, addr, amount)))) return;
        unchecked {
            _checkSums(a, [a.scores[0] - amount, 0]);
        }
    }

    function check_sum_updateScores(
        uint64 stage,
        address addr,
        uint64 amount,
        uint64 otherStage,
        uint256 otherId,
        address caller
    ) public {
        Sums memory a = _sumsOf(stage, [addr, address(0)], otherStage, otherId);
        (address[] memory addrs, uint64[] memory amounts) = (new address[](1), new uint64[](1));
        (addrs[0], amounts[0]) = (addr, amount);
        if (_call(caller, 0, abi.encodeCall(target.updateScores, (stage, addrs, amounts)))) _checkSums(a, [amount, 0]);
    }

    function check_sum_sameAccountTwice(
        uint64 stage,
        address addr,
        uint64[2] memory amounts,
        uint64 otherStage,
        uint256 otherId,
        address caller
    ) public {
        Sums memory a = _sumsOf(stage, [addr, address(0)], otherStage, otherId);
        if (_call(caller, 0, _rowsCall(stage, [addr, addr], amounts))) _checkSums(a, [amounts[1], 0]);
    }

    function check_sum_twoRows(
        uint64 stage,
        address[2] memory addrs,
        uint64[2] memory amounts,
        uint64 otherStage,
        uint256 otherId,
        address caller
    ) public {
        vm.assume(addrs[0] != addrs[1]);
        vm.assume(_or(_idOf(addrs[0]) == 0, _idOf(addrs[0]) != _idOf(addrs[1])));
        Sums memory a = _sumsOf(stage, addrs, otherStage, otherId);
        if (_call(caller, 0, _rowsCall(stage, addrs, amounts))) _checkSums(a, amounts);
    }

    struct Sums {
        uint64 stage;
        uint256 total;
        address[2] addrs;
        uint64[2] scores;
        uint64 otherStage;
        uint256 otherId;
        Row other;
    }

    function _sumsOf(
        uint64 stage,
        address[2] memory addrs,
        uint64 otherStage,
        uint256 otherId
    ) private returns (Sums memory a) {
        uint256 count = _accountCount();
        vm.assume(count <= type(uint32).max);
        vm.assume(_idOf(address(0)) == 0);
        vm.assume(_isEmpty(_rowAt(stage, 0)));
        vm.assume(_isEmpty(_rowAt(stage, count + 1)));
        vm.assume(_isEmpty(_rowAt(stage, count + 2)));
        for (uint256 i = 0; i < 2; ++i) {
            uint256 id = _idOf(addrs[i]);
            vm.assume(id <= count);
            a.scores[i] = _rowAt(stage, id).amount;
        }
        (a.stage, a.addrs, a.otherStage, a.otherId) = (stage, addrs, otherStage, otherId);
        (a.total, a.other) = (_totalOf(stage), _rowAt(otherStage, otherId));
    }

    /// @dev For a call that succeeded: one that fails changes nothing. The zero address is skipped.
    function _checkSums(Sums memory a, uint64[2] memory amounts) private {
        bool isRight = true;
        for (uint256 i = 0; i < 2; ++i) {
            uint256 id = _idOf(a.addrs[i]);
            uint64 amount = a.addrs[i] == address(0) ? 0 : amounts[i];
            vm.assume(_or(_or(a.otherStage != a.stage, a.otherId != id), id == 0));
            isRight = _and(isRight, _rowAt(a.stage, id).amount == amount);
            unchecked {
                a.total = a.total - a.scores[i] + amount;
            }
        }
        assert(_and(isRight, _isSameRow(_rowAt(a.otherStage, a.otherId), a.other)));
        // Two parts, because a solver takes long for their equality in 256 bits.
        assert(_and(a.total <= type(uint64).max, _totalOf(a.stage) == uint64(a.total)));
    }

    /// @dev An entry sets the scores of the lanes that its key selects.
    /// @custom:halmos --loop 4
    function check_sum_packed(
        uint64 stage,
        uint256 key,
        uint256 amounts,
        uint64 otherStage,
        uint256 otherGroup,
        address caller
    ) public {
        uint256 group = key / 16;
        vm.assume(_accountCount() <= type(uint32).max);
        vm.assume(_or(otherStage != stage, otherGroup != group));
        (uint256 total, uint256 word, uint256 bits) = (_totalOf(stage), _groupOf(stage, group), _lanesOf(stage, group));
        (uint256 otherWord, uint256 otherBits) = (_groupOf(otherStage, otherGroup), _lanesOf(otherStage, otherGroup));
        if (!_call(caller, 0, _packedCall(stage, key, amounts))) return;
        uint256 mask = 0;
        bool isRight = true;
        unchecked {
            for (uint256 i = 0; i < 4; ++i) {
                if (key & (1 << i) == 0) continue;
                mask |= uint256(type(uint64).max) << (64 * i);
                isRight = _and(isRight, _and(4 * group + i != 0, 4 * group + i <= _accountCount()));
            }
            total = total + _sumOf(amounts) - _sumOf(word & mask);
        }
        isRight = _and(isRight, _groupOf(stage, group) == (word & ~mask) | (amounts & mask));
        isRight = _and(isRight, _lanesOf(stage, group) == bits | (key % 16));
        isRight = _and(isRight, _groupOf(otherStage, otherGroup) == otherWord);
        assert(_and(isRight, _lanesOf(otherStage, otherGroup) == otherBits));
        assert(_and(total <= type(uint64).max, _totalOf(stage) == uint64(total)));
    }

    /// @dev A bit for each id of a group, set if it has a row.
    function _lanesOf(uint64 stage, uint256 group) private view returns (uint256) {
        return (_presentIn(stage, group / 64) >> (4 * (group % 64))) % 16;
    }

    function _sumOf(uint256 word) private pure returns (uint256) {
        unchecked {
            uint256 lane = type(uint64).max;
            return (word & lane) + ((word >> 64) & lane) + ((word >> 128) & lane) + (word >> 192);
        }
    }

    /// @dev Functions that do not write scores change none, and no total. See {writesScores}.
    function check_sum_others(uint64 stage, uint256 id, address caller, uint128 value) public {
        (uint64 total, Row memory row) = (_totalOf(stage), _rowAt(stage, id));
        bytes memory data = _anyCall();
        vm.assume(!writesScores(bytes4(data)));
        _call(caller, value, data);
        assert(_totalOf(stage) == total);
        assert(_isSameRow(_rowAt(stage, id), row));
    }

    /// @dev Functions that write scores. Override it if your contract has more of them.
    function writesScores(bytes4 selector) internal view virtual returns (bool) {
        return
            selector == target.updateScores.selector ||
            selector == target.updateScore.selector ||
            selector == target.increaseScore.selector ||
            selector == target.decreaseScore.selector ||
            selector == target.updateScoresPacked.selector;
    }
}
