// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPublishedVipScore} from "../src/IPublishedVipScore.sol";

/**
 * @title ReferenceShape
 * @notice For tests of clients only: a contract with the interface and the faults of the reference contract
 * (initia-labs/vip-score-evm), without our additions and gas savings.
 *
 * Faults it keeps on purpose: the total wraps at 2^64 in updates; the zero address skips every check of the stage; an empty
 * batch passes on any stage; a second finalize succeeds; the last member can be removed; pages are padded with zero rows.
 */
contract ReferenceShape is IPublishedVipScore {
    struct StageInfo {
        uint64 stage;
        uint64 totalScore;
        bool isFinalized;
    }

    struct Score {
        bool isIndexed;
        uint64 amount;
    }

    uint64 public override initStage;
    mapping(uint64 stage => StageInfo) public override stages;
    mapping(uint64 stage => mapping(address addr => Score)) public override scores;
    mapping(address addr => bool) public override allowList;
    mapping(uint64 stage => address[]) private _order;

    modifier onlyMember() {
        if (!allowList[msg.sender]) revert PermissionDenied(msg.sender);
        _;
    }

    constructor(uint64 initStage_) {
        initStage = initStage_;
        allowList[msg.sender] = true;
        _create(initStage_);
    }

    function updateScores(
        uint64 stage,
        address[] calldata addrs,
        uint64[] calldata amounts
    ) external override onlyMember {
        if (addrs.length != amounts.length) revert AddrsAndAmountsLengthMistmatch();
        for (uint256 i = 0; i < addrs.length; ++i) {
            if (addrs[i] != address(0)) _set(stage, addrs[i], amounts[i]);
        }
    }

    function updateScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        if (addr != address(0)) _set(stage, addr, amount);
    }

    function increaseScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        if (addr == address(0)) return;
        _index(stage, addr);
        stages[stage].totalScore += amount;
        _store(stage, addr, scores[stage][addr].amount + amount);
    }

    function decreaseScore(uint64 stage, address addr, uint64 amount) external override onlyMember {
        if (addr == address(0)) return;
        _index(stage, addr);
        stages[stage].totalScore -= amount;
        _store(stage, addr, scores[stage][addr].amount - amount);
    }

    function finalizeStage(uint64 stage) external override onlyMember {
        if (stages[stage].stage == 0) revert StageNotFound(stage);
        stages[stage].isFinalized = true;
        emit FinalizeStage(stage);
        _create(stage + 1);
    }

    function addAllowList(address addr) external override onlyMember {
        allowList[addr] = true;
    }

    function removeAllowList(address addr) external override onlyMember {
        allowList[addr] = false;
    }

    function getScores(
        uint64 stage,
        uint64 offset,
        uint64 limit
    ) external view override returns (ScoreResponse[] memory page) {
        page = new ScoreResponse[](limit);
        address[] storage order = _order[stage];
        for (uint64 i = 0; i < limit && offset + i < order.length; ++i) {
            address addr = order[offset + i];
            page[i] = ScoreResponse(addr, scores[stage][addr].amount, offset + i + 1);
        }
    }

    function _set(uint64 stage, address addr, uint64 amount) private {
        _index(stage, addr);
        unchecked {
            stages[stage].totalScore = stages[stage].totalScore + amount - scores[stage][addr].amount;
        }
        _store(stage, addr, amount);
    }

    function _store(uint64 stage, address addr, uint64 amount) private {
        scores[stage][addr].amount = amount;
        emit UpdateScore(addr, stage, amount, stages[stage].totalScore);
    }

    function _index(uint64 stage, address addr) private {
        if (stages[stage].stage == 0) revert StageNotFound(stage);
        if (stages[stage].isFinalized) revert StageFinalized(stage);
        if (scores[stage][addr].isIndexed) return;
        scores[stage][addr].isIndexed = true;
        _order[stage].push(addr);
    }

    function _create(uint64 stage) private {
        if (stage == 0) revert ZeroStage();
        if (stages[stage].stage != 0) return;
        stages[stage].stage = stage;
        emit CreateStage(stage);
    }
}
