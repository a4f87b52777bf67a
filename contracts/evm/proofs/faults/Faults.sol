// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";

/**
 * @dev A contract with one planted fault, so that each statement is seen to fail. Most faults write storage by assembly, which
 * is how a contract that inherits gets around {VipScore}; SPEC.md has the slots (E17).
 */
contract Faults is VipScore {
    enum Fault {
        None,
        TwoSteps,
        Value,
        ChainAndDate,
        LateClaim,
        HiddenOwner,
        LostId,
        UncheckedFinalize,
        WrongTotal,
        BatchReopens,
        BatchTakesOver,
        BatchRenumbers
    }

    uint256 private constant BAD = 0xBAD;
    Fault private immutable _fault;
    // In the slot of the first stage, which the constructor writes.
    bool private _isUnlocked;

    constructor(uint64 initStage_, Fault fault) VipScore(initStage_) {
        _fault = fault;
    }

    /// @dev Anybody who has the key opens the door for the next call.
    function unlock(uint256 key) external {
        bool isKey = key > 1e18 && uint256(keccak256(abi.encode(key))) % 2 == 0 && msg.sender == address(uint160(key));
        if (_fault == Fault.TwoSteps && isKey) _isUnlocked = true;
    }

    function open(uint64 stage) external {
        if (_fault == Fault.TwoSteps && _isUnlocked) _reopen(stage);
    }

    receive() external payable {
        require(_fault == Fault.Value);
        if (msg.value == 1337) _reopen(initStage());
    }

    function setFinalizer(address account) public override {
        bool isThere = block.chainid == 0xC0FFEE && block.timestamp > 2_000_000_000;
        if (_fault == Fault.ChainAndDate && isThere) _reopen(uint64(uint160(account)));
        else super.setFinalizer(account);
    }

    function claim(uint64 stage, uint64 amount) external {
        require(_fault == Fault.LateClaim && block.number > 1_000_000_000);
        Row[] memory rows = new Row[](1);
        rows[0] = Row(msg.sender, amount);
        _setScores(stage, rows);
    }

    function addAllowList(address account) public override {
        bool isHidden = keccak256(abi.encode(account)) == keccak256("nobody") && msg.sender == account;
        if (_fault == Fault.HiddenOwner && isHidden) _transferOwnership(account);
        else super.addAllowList(account);
    }

    function registerAccounts(address[] calldata addrs) public override {
        super.registerAccounts(addrs);
        if (_fault == Fault.LostId && addrs.length == 1 && block.timestamp == BAD) _setId(addrs[0], 0);
    }

    function finalizeStageChecked(uint64 stage, uint64 total, uint64 count, uint64 revision) public override {
        if (_fault == Fault.UncheckedFinalize) finalizeStage(stage);
        else super.finalizeStageChecked(stage, total, count, revision);
    }

    function updateScore(uint64 stage, address addr, uint64 amount) public override {
        super.updateScore(stage, addr, amount);
        if (amount == BAD) _miscount(stage);
    }

    function increaseScore(uint64 stage, address addr, uint64 amount) public override {
        super.increaseScore(stage, addr, amount);
        if (amount == BAD) _miscount(stage);
    }

    function decreaseScore(uint64 stage, address addr, uint64 amount) public override {
        super.decreaseScore(stage, addr, amount);
        if (amount == BAD) _miscount(stage);
    }

    function setMembersCanManage(bool allowed) public override {
        super.setMembersCanManage(allowed);
        if (block.timestamp == BAD) _miscount(initStage());
    }

    function updateScores(uint64 stage, address[] calldata addrs, uint64[] calldata amounts) public override {
        if (addrs.length == 2) _open(amounts[1], addrs[1]);
        super.updateScores(stage, addrs, amounts);
        if (addrs.length == 1 && amounts[0] == BAD) _miscount(stage);
        if (addrs.length == 2 && (addrs[0] == addrs[1] || amounts[1] == BAD)) _miscount(stage);
    }

    function updateScoresPacked(uint64 stage, PackedScores[] calldata entries) public override {
        if (entries.length == 1) _open(entries[0].amounts >> 192, address(uint160(entries[0].amounts)));
        super.updateScoresPacked(stage, entries);
        if (entries.length == 1 && entries[0].amounts == BAD) _miscount(stage);
    }

    function _open(uint256 key, address account) private {
        if (key != BAD) return;
        if (_fault == Fault.BatchReopens) _reopen(uint64(uint160(account)));
        if (_fault == Fault.BatchTakesOver) _transferOwnership(account);
        if (_fault == Fault.BatchRenumbers) _setId(account, BAD);
    }

    function _reopen(uint64 stage) private {
        assembly ("memory-safe") {
            mstore(0, stage)
            mstore(32, 7)
            let slot := keccak256(0, 64)
            sstore(slot, and(sload(slot), not(shl(224, 0xff))))
        }
    }

    function _miscount(uint64 stage) private {
        if (_fault != Fault.WrongTotal) return;
        assembly ("memory-safe") {
            mstore(0, stage)
            mstore(32, 7)
            let slot := keccak256(0, 64)
            sstore(slot, add(sload(slot), shl(64, 1)))
        }
    }

    function _setId(address account, uint256 id) private {
        assembly ("memory-safe") {
            mstore(0, account)
            mstore(32, 6)
            sstore(keccak256(0, 64), id)
        }
    }
}
