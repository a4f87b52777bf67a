// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {IVipScore} from "./IVipScore.sol";
import {ScoreWriter} from "./ScoreWriter.sol";

/**
 * @title VipScore
 * @notice The scoring contract of an Initia rollup. What each function does is written in {IVipScore}.
 *
 * @dev Three roles. Allow-list members write scores. They also finalize stages, unless the owner names a finalizer, who then
 * does so alone. The owner, at first the deployer, manages members;
 * members may do so too until the owner turns that off. The deployer is also the first member.
 */
contract VipScore is IVipScore, ScoreWriter, Ownable2Step {
    using EnumerableSet for EnumerableSet.AddressSet;

    uint64 private constant MAX_PAGE = 1_000;

    /// As many zero rows cost 4.2 M gas: a call with any limit answers on a node that grants it 10 M, where the rows are few.
    uint64 private constant MAX_PADDED_PAGE = 5_000;

    uint64 public override initStage;
    bool public override membersCanManage = true;
    address public override finalizer;
    EnumerableSet.AddressSet private _members;

    constructor(uint64 initStage_) Ownable(msg.sender) {
        initStage = initStage_;
        _addMember(msg.sender);
        _createStage(initStage_);
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

    // Scores

    function updateScores(
        uint64 stage,
        address[] calldata addrs,
        uint64[] calldata amounts
    ) external override onlyMember {
        if (addrs.length != amounts.length) revert AddrsAndAmountsLengthMistmatch();
        Batch memory batch = _begin(stage);
        _setAll(batch, addrs, amounts);
        _commit(batch, batch.group != NONE);
    }

    function updateScoresPacked(uint64 stage, PackedScores[] calldata groups) external override onlyMember {
        Batch memory batch = _begin(stage);
        uint256 written = _setPacked(batch, groups);
        _commit(batch, written != 0);
        emit UpdateScoresPacked(stage, uint64(written), uint64(batch.total));
    }

    function updateScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        Batch memory batch = _begin(stage);
        (uint256 position, uint256 score) = _loadAccount(batch, addr);
        if (position == 0) return;
        _replace(batch, addr, position, score, amount);
        _commit(batch, true);
    }

    function increaseScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        Batch memory batch = _begin(stage);
        (uint256 position, uint256 score) = _loadAccount(batch, addr);
        if (position == 0) return;
        if (amount > type(uint64).max - score) revert ScoreOverflow(stage, addr);
        _replace(batch, addr, position, score, uint64(score) + amount);
        _commit(batch, true);
    }

    function decreaseScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        Batch memory batch = _begin(stage);
        (uint256 position, uint256 score) = _loadAccount(batch, addr);
        if (position == 0) return;
        if (amount > score) revert InsufficientScore(stage, addr, uint64(score), amount);
        _replace(batch, addr, position, score, uint64(score) - amount);
        _commit(batch, true);
    }

    function registerAccounts(address[] calldata addrs) external override onlyMember {
        _registerAll(addrs);
    }

    // Stages

    function finalizeStage(uint64 stage) external override onlyFinalizer {
        _finalize(_openStage(stage));
    }

    function finalizeStageChecked(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount
    ) external override onlyFinalizer {
        _finalize(_expectedStage(stage, expectedTotal, expectedCount));
    }

    function finalizeStageChecked(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount,
        uint64 expectedRevision
    ) external override onlyFinalizer {
        Stage storage info = _expectedStage(stage, expectedTotal, expectedCount);
        uint64 revision = info.revision;
        if (revision != expectedRevision) revert RevisionMismatch(stage, expectedRevision, revision);
        _finalize(info);
    }

    /// @dev An open stage, if it has this total and count.
    function _expectedStage(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount
    ) private view returns (Stage storage info) {
        info = _openStage(stage);
        (uint64 total, uint64 count) = (info.totalScore, info.count);
        if (total != expectedTotal || count != expectedCount) {
            revert FinalizeMismatch(stage, expectedTotal, total, expectedCount, count);
        }
    }

    function _finalize(Stage storage info) private {
        uint64 stage = info.stage;
        info.isFinalized = true;
        emit FinalizeStage(stage);
        // The next stage cannot exist: only this line creates stages, and a stage is finalized once.
        if (stage != type(uint64).max) _createStage(stage + 1);
    }

    // Members and owner

    function addAllowList(address addr) external override onlyManager {
        _addMember(addr);
    }

    function removeAllowList(address addr) external override onlyManager {
        if (!_members.contains(addr)) return;
        if (_members.length() == 1) revert LastMember(addr);
        _members.remove(addr);
        emit RemoveAllowList(addr);
    }

    function _addMember(address addr) private {
        if (addr == address(0)) revert InvalidAddress(addr);
        if (_members.add(addr)) emit AddAllowList(addr);
    }

    function setMembersCanManage(bool allowed) external override onlyOwner {
        membersCanManage = allowed;
        emit SetMembersCanManage(allowed);
    }

    function setFinalizer(address newFinalizer) external override onlyOwner {
        finalizer = newFinalizer;
        emit SetFinalizer(newFinalizer);
    }

    /// @notice Always reverts: the contract keeps an owner. {transferOwnership} hands ownership over.
    function renounceOwnership() public pure override {
        revert OwnerRequired();
    }

    // Views

    function contractVersion() external pure override returns (string memory) {
        return "2.0.0";
    }

    function stages(uint64 number) external view override returns (uint64 stage, uint64 totalScore, bool isFinalized) {
        Stage storage info = _stage(number);
        return (info.stage, info.totalScore, info.isFinalized);
    }

    function getStage(uint64 stage) external view override returns (StageInfo memory) {
        Stage storage info = _stage(stage);
        return StageInfo(info.stage, info.totalScore, info.count, info.revision, info.isFinalized);
    }

    function scoreCount(uint64 stage) external view override returns (uint64) {
        return _stage(stage).count;
    }

    function scores(uint64 stage, address addr) external view override returns (bool isIndexed, uint64 amount) {
        uint32 id = _idOf(addr);
        return (_isPresent(stage, id), _amountOf(stage, id));
    }

    function getScores(
        uint64 stage,
        uint64 offset,
        uint64 limit
    ) external view override returns (ScoreResponse[] memory) {
        uint64 left = _rowsFrom(stage, offset);
        if (limit > MAX_PADDED_PAGE) {
            if (left > MAX_PADDED_PAGE) revert PageTooLarge(limit, MAX_PADDED_PAGE);
            limit = MAX_PADDED_PAGE;
        }
        return _page(stage, offset, uint64(Math.min(left, limit)), limit);
    }

    function getScoresPage(
        uint64 stage,
        uint64 offset,
        uint64 limit
    ) external view override returns (ScoreResponse[] memory) {
        uint64 rows = uint64(Math.min(_rowsFrom(stage, offset), Math.min(limit, MAX_PAGE)));
        return _page(stage, offset, rows, rows);
    }

    function getScoresFrom(
        uint64 stage,
        uint32 fromId,
        uint64 limit
    ) external view override returns (AccountScore[] memory rows, uint32 nextId) {
        // One more than asked for tells whether there is a next page.
        limit = uint64(Math.min(limit, MAX_PAGE));
        (uint256[] memory ids, uint256 found) = _idsIn(stage, fromId, 0, limit + 1);
        if (found > limit) nextId = uint32(ids[limit]);
        rows = new AccountScore[](Math.min(found, limit));
        uint64[] memory amounts = _amountsOf(stage, ids, rows.length);
        for (uint256 i = 0; i < rows.length; ++i) {
            uint32 id = uint32(ids[i]);
            AccountScore memory row = rows[i];
            (row.id, row.addr, row.amount) = (id, _accountOf(id), amounts[i]);
        }
    }

    function allowList(address addr) external view override returns (bool) {
        return _members.contains(addr);
    }

    function allowListMembers() external view override returns (address[] memory) {
        return _members.values();
    }

    function accountCount() external view override returns (uint32) {
        return _accountCount;
    }

    function accountOf(uint32 id) external view override returns (address) {
        return _accountOf(id);
    }

    function idsOf(address[] calldata addrs) external view override returns (uint32[] memory ids) {
        ids = new uint32[](addrs.length);
        for (uint256 i = 0; i < addrs.length; ++i) {
            ids[i] = _idOf(addrs[i]);
        }
    }

    /// @dev How many rows of a stage come after the first `offset`.
    function _rowsFrom(uint64 stage, uint64 offset) private view returns (uint64) {
        uint64 count = _stage(stage).count;
        return offset < count ? count - offset : 0;
    }

    /// @dev `rows` rows from `offset` on, which exist, in a list of `size`.
    function _page(
        uint64 stage,
        uint64 offset,
        uint64 rows,
        uint64 size
    ) private view returns (ScoreResponse[] memory page) {
        (uint256[] memory ids, ) = _idsIn(stage, 0, offset, rows);
        uint64[] memory amounts = _amountsOf(stage, ids, rows);
        page = new ScoreResponse[](size);
        for (uint64 i = 0; i < rows; ++i) {
            ScoreResponse memory row = page[i];
            (row.addr, row.amount, row.index) = (_accountOf(uint32(ids[i])), amounts[i], offset + i + 1);
        }
    }
}
