// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {AnyState} from "./AnyState.sol";

/**
 * @title SumProofs
 * @notice A call changes the total by what it changes in the scores of the accounts that it names, and no other account's score.
 *
 * @dev Of the states, see {VipScoreProofs}.
 */
abstract contract SumProofs is AnyState {
    function check_sum_updateScore(
        uint64 written,
        address addr,
        uint64 amount,
        uint64 stage,
        address other,
        address caller
    ) public {
        _checkRow(stage, addr, other, caller, abi.encodeCall(target.updateScore, (written, addr, amount)));
    }

    function check_sum_increaseScore(
        uint64 written,
        address addr,
        uint64 amount,
        uint64 stage,
        address other,
        address caller
    ) public {
        _checkRow(stage, addr, other, caller, abi.encodeCall(target.increaseScore, (written, addr, amount)));
    }

    function check_sum_decreaseScore(
        uint64 written,
        address addr,
        uint64 amount,
        uint64 stage,
        address other,
        address caller
    ) public {
        _checkRow(stage, addr, other, caller, abi.encodeCall(target.decreaseScore, (written, addr, amount)));
    }

    function check_sum_updateScores(
        uint64 written,
        address addr,
        uint64 amount,
        uint64 stage,
        address other,
        address caller
    ) public {
        (address[] memory addrs, uint64[] memory amounts) = (new address[](1), new uint64[](1));
        (addrs[0], amounts[0]) = (addr, amount);
        _checkRow(stage, addr, other, caller, abi.encodeCall(target.updateScores, (written, addrs, amounts)));
    }

    function check_sum_sameAccountTwice(
        uint64 written,
        address addr,
        uint64[2] memory amounts,
        uint64 stage,
        address other,
        address caller
    ) public {
        _checkRow(stage, addr, other, caller, _rowsCall(written, [addr, addr], amounts));
    }

    function check_sum_twoRows(
        uint64 written,
        address[2] memory addrs,
        uint64[2] memory amounts,
        uint64 stage,
        address other,
        address caller
    ) public {
        vm.assume(addrs[0] != addrs[1]);
        vm.assume(_or(_idOf(addrs[0]) == 0, _idOf(addrs[0]) != _idOf(addrs[1])));
        _assumeNamed(stage, addrs[0], other, address(0x1D));
        _assumeNamed(stage, addrs[1], other, address(0x1D));
        vm.assume(_idOf(address(0x2D)) == _accountCount() + 2);
        vm.assume(_isEmpty(_rowOf(stage, address(0x2D))));
        vm.assume(_idOf(other) != _accountCount() + 2);
        (uint256 total, Row memory row) = (_totalOf(stage), _rowOf(stage, other));
        uint256 scores = uint256(_rowOf(stage, addrs[0]).amount) + _rowOf(stage, addrs[1]).amount;
        _call(caller, 0, _rowsCall(written, addrs, amounts));
        uint256 scoresNow = uint256(_rowOf(stage, addrs[0]).amount) + _rowOf(stage, addrs[1]).amount;
        assert(_totalOf(stage) + scores == total + scoresNow);
        assert(_isSameRow(_rowOf(stage, other), row));
    }

    function _checkRow(uint64 stage, address addr, address other, address caller, bytes memory data) private {
        address next = address(0x1D);
        _assumeNamed(stage, addr, other, next);
        (uint256 total, uint256 score, Row memory row) = (
            _totalOf(stage),
            _rowOf(stage, addr).amount,
            _rowOf(stage, other)
        );
        _call(caller, 0, data);
        assert(_totalOf(stage) + score == total + _rowOf(stage, addr).amount);
        assert(_isSameRow(_rowOf(stage, other), row));
        assert(_or(_idOf(next) <= _accountCount(), _isEmpty(_rowOf(stage, next))));
    }

    /// @dev An account that a call names, in a state that can occur; another one with any other id; and one with the next id, of
    /// which it shows the row.
    function _assumeNamed(uint64 stage, address addr, address other, address next) private {
        uint256 count = _accountCount();
        vm.assume(count <= type(uint32).max);
        vm.assume(_idOf(addr) <= count);
        vm.assume(_or(_idOf(addr) != 0, _isEmpty(_rowOf(stage, addr))));
        vm.assume(addr != other);
        vm.assume(_or(_idOf(addr) != _idOf(other), _idOf(addr) == 0));
        vm.assume(_idOf(other) != count + 1);
        vm.assume(_idOf(next) == count + 1);
        vm.assume(_isEmpty(_rowOf(stage, next)));
    }

    /// @dev The group has the four ids of the entry, of which some may be no account's.
    /// @custom:halmos --loop 4
    function check_sum_packed(
        uint64 written,
        uint256[2] memory entry,
        uint64 stage,
        address[4] memory group,
        address other,
        address caller
    ) public {
        Row[4] memory rows = _assumeGroup(stage, group, entry[0] / 16);
        vm.assume(_idOf(other) / 4 != entry[0] / 16);
        uint256 total = _totalOf(stage);
        Row memory row = _rowOf(stage, other);
        bool isWritten = _and(_call(caller, 0, _packedCall(written, entry[0], entry[1])), written == stage);
        uint256 added = 0;
        for (uint256 i = 0; i < 4; ++i) {
            Row memory each = _rowOf(stage, group[i]);
            added += each.amount;
            bool isNamed = _and(isWritten, (entry[0] >> i) & 1 != 0);
            assert(_or(isNamed, _isSameRow(each, rows[i])));
            assert(_or(!isNamed, _and(each.isIndexed, each.amount == uint64(entry[1] >> (64 * i)))));
        }
        uint256 scored = uint256(rows[0].amount) + rows[1].amount + rows[2].amount + rows[3].amount;
        assert(total + added == _totalOf(stage) + scored);
        assert(_isSameRow(_rowOf(stage, other), row));
    }

    /// @dev Four accounts with the ids of a group, of which those that no account can have have no row.
    function _assumeGroup(
        uint64 stage,
        address[4] memory accounts,
        uint256 group
    ) private returns (Row[4] memory rows) {
        for (uint256 i = 0; i < 4; ++i) {
            uint256 id = _idOf(accounts[i]);
            vm.assume(id == 4 * group + i);
            rows[i] = _rowOf(stage, accounts[i]);
            vm.assume(_or(_and(id != 0, id <= _accountCount()), _isEmpty(rows[i])));
        }
    }

    /// @dev Functions that do not write scores change none, and no total. See {writesScores}.
    function check_sum_others(uint64 stage, address account, address caller, uint128 value) public {
        (uint256 id, uint64 total, Row memory row) = (_idOf(account), _totalOf(stage), _rowOf(stage, account));
        bytes memory data = _anyCall();
        vm.assume(!writesScores(bytes4(data)));
        _call(caller, value, data);
        assert(_totalOf(stage) == total);
        assert(_or(_idOf(account) != id, _isSameRow(_rowOf(stage, account), row)));
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
