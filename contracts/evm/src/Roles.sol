// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {IVipScore} from "./IVipScore.sol";

/**
 * @title Roles
 * @notice Who may do what in {VipScore}.
 *
 * @dev Allow-list members write scores. They also finalize stages, unless the owner sets a finalizer, who then is the only one
 * who may. The owner, initially the deployer, manages members; members may do so too until the owner turns that off. The
 * deployer is also the first member. There is always an owner and at least one member.
 */
abstract contract Roles is IVipScore, Ownable2Step {
    using EnumerableSet for EnumerableSet.AddressSet;

    bool public override membersCanManage = true;
    address public override finalizer;
    EnumerableSet.AddressSet private _members;

    constructor() Ownable(msg.sender) {
        _addMember(msg.sender);
    }

    modifier onlyMember() {
        if (!_members.contains(msg.sender)) revert PermissionDenied(msg.sender);
        _;
    }

    modifier onlyManager() {
        if (msg.sender != owner() && !(membersCanManage && _members.contains(msg.sender))) {
            revert PermissionDenied(msg.sender);
        }
        _;
    }

    modifier onlyFinalizer() {
        if (finalizer == address(0) ? !_members.contains(msg.sender) : msg.sender != finalizer) {
            revert PermissionDenied(msg.sender);
        }
        _;
    }

    function addAllowList(address addr) external override onlyManager {
        _addMember(addr);
    }

    function removeAllowList(address addr) external override onlyManager {
        if (!_members.remove(addr)) return;
        if (_members.length() == 0) revert LastMember(addr);
        emit RemoveAllowList(addr);
    }

    function setMembersCanManage(bool allowed) external override onlyOwner {
        membersCanManage = allowed;
        emit SetMembersCanManage(allowed);
    }

    function setFinalizer(address account) external override onlyOwner {
        // The zero address is valid: any member may finalize.
        // slither-disable-next-line missing-zero-check
        finalizer = account;
        emit SetFinalizer(account);
    }

    /// @notice Always reverts: the contract must have an owner. {transferOwnership} offers ownership to another account.
    function renounceOwnership() public pure override {
        revert OwnerRequired();
    }

    function allowList(address addr) external view override returns (bool) {
        return _members.contains(addr);
    }

    function allowListMembers() external view override returns (address[] memory) {
        return _members.values();
    }

    function _addMember(address addr) private {
        if (addr == address(0)) revert InvalidAddress(addr);
        if (_members.add(addr)) emit AddAllowList(addr);
    }
}
