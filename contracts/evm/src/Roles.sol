// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
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

    uint256 private constant MAX_MEMBERS_PAGE = 1_000;

    bool private _membersCanManage = true;
    address private _finalizer;
    // The members are those of the current list. A new list starts empty, and nothing needs to be deleted from the old one.
    mapping(uint256 list => EnumerableSet.AddressSet) private _lists;
    uint256 private _currentList;

    constructor() Ownable(msg.sender) {
        _addMember(msg.sender);
    }

    modifier onlyMember() {
        if (!_isMember(msg.sender)) revert PermissionDenied(msg.sender);
        _;
    }

    modifier onlyManager() {
        if (msg.sender != owner() && !(_membersCanManage && _isMember(msg.sender))) {
            revert PermissionDenied(msg.sender);
        }
        _;
    }

    modifier onlyFinalizer() {
        if (_finalizer == address(0) ? !_isMember(msg.sender) : msg.sender != _finalizer) {
            revert PermissionDenied(msg.sender);
        }
        _;
    }

    function addAllowList(address addr) public virtual onlyManager {
        _addMember(addr);
    }

    function removeAllowList(address addr) public virtual onlyManager {
        if (!_members().remove(addr)) return;
        if (_members().length() == 0) revert LastMember(addr);
        emit RemoveAllowList(addr);
    }

    function setAllowList(address[] calldata addrs) public virtual onlyOwner {
        if (addrs.length == 0) revert LastMember(address(0));
        ++_currentList;
        emit ClearAllowList();
        for (uint256 i = 0; i < addrs.length; ++i) _addMember(addrs[i]);
    }

    function setMembersCanManage(bool allowed) public virtual onlyOwner {
        _membersCanManage = allowed;
        emit SetMembersCanManage(allowed);
    }

    function setFinalizer(address account) public virtual onlyOwner {
        // The zero address is valid: any member may finalize.
        // slither-disable-next-line missing-zero-check
        _finalizer = account;
        emit SetFinalizer(account);
    }

    /// @notice Always reverts: the contract must have an owner. {transferOwnership} offers ownership to another account.
    function renounceOwnership() public pure override {
        revert OwnerRequired();
    }

    function allowList(address addr) external view returns (bool) {
        return _isMember(addr);
    }

    function membersCanManage() public view returns (bool) {
        return _membersCanManage;
    }

    function finalizer() public view returns (address) {
        return _finalizer;
    }

    function allowListCount() public view returns (uint256) {
        return _members().length();
    }

    function getAllowList(uint256 offset, uint256 limit) public view returns (address[] memory) {
        uint256 end = Math.saturatingAdd(offset, Math.min(limit, MAX_MEMBERS_PAGE));
        return _members().values(offset, end);
    }

    /// @dev Whether an account is an allow-list member.
    function _isMember(address account) internal view returns (bool) {
        return _members().contains(account);
    }

    function _members() private view returns (EnumerableSet.AddressSet storage) {
        return _lists[_currentList];
    }

    function _addMember(address addr) private {
        if (addr == address(0)) revert InvalidAddress(addr);
        if (_members().add(addr)) emit AddAllowList(addr);
    }
}
