// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "../src/VipScore.sol";
import {IVipScore} from "../src/IVipScore.sol";

/// @dev The cheat codes of Foundry that the proofs use.
interface Vm {
    function assume(bool condition) external;
    function prank(address caller) external;
    function deal(address account, uint256 balance) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 height) external;
    function chainId(uint256 id) external;
    function etch(address account, bytes calldata code) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
}

/// @dev The cheat codes of halmos that the proofs use.
interface Svm {
    function enableSymbolicStorage(address account) external;
    function createCalldata(string calldata contractName) external returns (bytes memory);
    function createUint256(string calldata name) external returns (uint256);
}

/**
 * @title AnyState
 * @notice A scoring contract in any state, and what statements about it call and read.
 */
abstract contract AnyState {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Svm internal constant svm = Svm(0xF3993A62377BCd56AE39D773740A5390411E8BC9);
    /// @dev The contract in any state.
    VipScore internal constant target = VipScore(0x5C0000000000000000000000000000000000005C);

    struct Row {
        bool isIndexed;
        uint64 amount;
    }

    /// @dev A new contract, whose owner and member is this one. Most statements use its code only.
    function deployScores() internal virtual returns (VipScore);

    /// @dev Its name in the build.
    function contractName() internal view virtual returns (string memory);

    function setUp() public virtual {
        vm.etch(address(target), address(deployScores()).code);
        svm.enableSymbolicStorage(address(target));
        vm.warp(svm.createUint256("timestamp"));
        vm.roll(svm.createUint256("height"));
        vm.chainId(svm.createUint256("chainId"));
    }

    // Calls

    function _anyCall() internal returns (bytes memory) {
        return svm.createCalldata(contractName());
    }

    /// @dev Packed batches without an entry only: others take longer than all other calls together.
    function _anyUnpackedCall() internal returns (bytes memory data) {
        data = _anyCall();
        uint256 entries = 0;
        // The third word of the arguments: how many entries a packed batch has.
        assembly ("memory-safe") {
            entries := mload(add(data, 100))
        }
        vm.assume(_or(bytes4(data) != target.updateScoresPacked.selector, entries == 0));
    }

    function _packedCall(uint64 stage, uint256 key, uint256 amounts) internal pure returns (bytes memory) {
        IVipScore.PackedScores[] memory entries = new IVipScore.PackedScores[](1);
        entries[0] = IVipScore.PackedScores(key, amounts);
        return abi.encodeCall(target.updateScoresPacked, (stage, entries));
    }

    function _rowsCall(
        uint64 stage,
        address[2] memory two,
        uint64[2] memory values
    ) internal pure returns (bytes memory) {
        (address[] memory addrs, uint64[] memory amounts) = (new address[](2), new uint64[](2));
        (addrs[0], addrs[1], amounts[0], amounts[1]) = (two[0], two[1], values[0], values[1]);
        return abi.encodeCall(target.updateScores, (stage, addrs, amounts));
    }

    function _call(address caller, uint128 value, bytes memory data) internal returns (bool success) {
        vm.deal(caller, type(uint128).max);
        vm.prank(caller);
        (success, ) = address(target).call{value: value}(data);
    }

    function _answers(bytes memory data) internal view returns (bool success) {
        (success, ) = address(target).staticcall(data);
    }

    // What is read

    function _totalOf(uint64 stage) internal view returns (uint64 total) {
        (, total, ) = target.stages(stage);
    }

    function _rowOf(uint64 stage, address account) internal view returns (Row memory) {
        return _rowAt(stage, _idOf(account));
    }

    // From the slots of SPEC.md (E17), where what the contract returns has 32 bits of an id, and takes longer. {check_slots} shows
    // that these are the slots.

    function _accountCount() internal view returns (uint256) {
        return _load(bytes32(uint256(5)));
    }

    function _idOf(address account) internal view returns (uint256) {
        return _load(keccak256(abi.encode(account, 6)));
    }

    function _rowAt(uint64 stage, uint256 id) internal view returns (Row memory) {
        bool isIndexed = (_presentIn(stage, id / 256) >> (id % 256)) & 1 != 0;
        return Row(isIndexed, uint64(_groupOf(stage, id / 4) >> (64 * (id % 4))));
    }

    /// @dev The scores of the four ids from `4 * group` on.
    function _groupOf(uint64 stage, uint256 group) internal view returns (uint256) {
        return _load(keccak256(abi.encode(group, uint256(keccak256(abi.encode(stage, 7))) + 1)));
    }

    /// @dev A bit for each of the 256 ids from `256 * bucket` on, set if the id has a row.
    function _presentIn(uint64 stage, uint256 bucket) internal view returns (uint256) {
        return _load(keccak256(abi.encode(bucket, uint256(keccak256(abi.encode(stage, 7))) + 2)));
    }

    function _load(bytes32 slot) private view returns (uint256) {
        return uint256(vm.load(address(target), slot));
    }

    function _mayFinalize(address caller) internal view returns (bool) {
        address finalizer = target.finalizer();
        bool isNamed = _and(finalizer != address(0), caller == finalizer);
        return _or(isNamed, _and(finalizer == address(0), target.allowList(caller)));
    }

    // Words. `&&` and `||` would make halmos explore both sides of each.

    function _isSame(IVipScore.StageInfo memory a, IVipScore.StageInfo memory b) internal pure returns (bool) {
        bool isSame = _and(a.stage == b.stage, a.totalScore == b.totalScore);
        isSame = _and(isSame, _and(a.scoreCount == b.scoreCount, a.revision == b.revision));
        return _and(isSame, a.isFinalized == b.isFinalized);
    }

    function _isSameRow(Row memory a, Row memory b) internal pure returns (bool) {
        return _and(a.isIndexed == b.isIndexed, a.amount == b.amount);
    }

    function _isEmpty(Row memory row) internal pure returns (bool) {
        return _and(!row.isIndexed, row.amount == 0);
    }

    function _all(bool[6] memory statements) internal pure returns (bool all) {
        all = true;
        for (uint256 i = 0; i < 6; ++i) all = _and(all, statements[i]);
    }

    function _and(bool a, bool b) internal pure returns (bool both) {
        assembly ("memory-safe") {
            both := and(a, b)
        }
    }

    function _or(bool a, bool b) internal pure returns (bool either) {
        assembly ("memory-safe") {
            either := or(a, b)
        }
    }
}
