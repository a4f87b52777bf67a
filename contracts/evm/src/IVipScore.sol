// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPublishedVipScore} from "./IPublishedVipScore.sol";

/**
 * @title IVipScore
 * @notice The scoring contract of an Initia rollup: a score for each account in each stage, written by allow-list members and
 * frozen permanently once the stage is finalized. docs/spec.md and SPEC.md have all rules of behavior.
 *
 * Stages and scores are u64. Exactly one stage is open at any time: the highest one. In all functions that write scores the
 * checks come in this order: caller (`PermissionDenied`), array lengths (`AddrsAndAmountsLengthMistmatch`), stage
 * (`StageNotFound`, `StageFinalized`), and then the rows. A call that reverts has written nothing. A calldata word with bits
 * above its type reverts without data, as everywhere in Solidity.
 */
interface IVipScore is IPublishedVipScore {
    /**
     * @notice One row of a page ordered by account id.
     * @param id The number of the account, the same in all stages.
     */
    struct AccountScore {
        uint32 id;
        address addr;
        uint64 amount;
    }

    /**
     * @notice Scores of up to four accounts with neighboring ids: those with the same `id / 4`, their group.
     * @param key `16 * group + lanes`, where bit `id % 4` of `lanes` is set if the score of `id` is written.
     * @param amounts Four u64: the score of `id` at bit `64 * (id % 4)`. Amounts that are not written must be 0.
     */
    struct PackedScores {
        uint256 key;
        uint256 amounts;
    }

    /**
     * @notice A stage; all zero if it was never created.
     * @param totalScore The sum of its scores.
     * @param scoreCount How many accounts have a score (possibly 0) in it.
     * @param revision How many successful calls wrote at least one row. Finalizing does not count.
     * @param isFinalized Whether it is frozen.
     */
    struct StageInfo {
        uint64 stage;
        uint64 totalScore;
        uint64 scoreCount;
        uint64 revision;
        bool isFinalized;
    }

    /**
     * @notice A packed batch was written.
     * @param count How many scores it set.
     * @param totalScore The total of the stage after the batch.
     */
    event UpdateScoresPacked(uint64 indexed stage, uint64 count, uint64 totalScore);

    /// @notice The owner replaces all allow-list members: none is left, and {AddAllowList} follows for each new one.
    event ClearAllowList();

    /// @notice An allow-list member was added.
    event AddAllowList(address indexed addr);

    /// @notice An allow-list member was removed.
    event RemoveAllowList(address indexed addr);

    /// @notice The owner decided whether members may add and remove members.
    event SetMembersCanManage(bool allowed);

    /// @notice The owner set the only account that may finalize stages; the zero address means any member.
    event SetFinalizer(address indexed finalizer);

    /// @notice The score of `addr` would exceed u64.
    error ScoreOverflow(uint64 stage, address addr);

    /// @notice The total of the stage would exceed u64.
    error TotalOverflow(uint64 stage);

    /// @notice The score of `addr` is `score`, less than the `amount` to take away.
    error InsufficientScore(uint64 stage, address addr, uint64 score, uint64 amount);

    /// @notice The stage holds `count` scores that add up to `total`, which is not what the caller expected.
    error FinalizeMismatch(uint64 stage, uint64 expectedTotal, uint64 total, uint64 expectedCount, uint64 count);

    /// @notice Rows of the stage were written since the caller read its revision.
    error RevisionMismatch(uint64 stage, uint64 expectedRevision, uint64 revision);

    /// @notice `addr` is the only allow-list member left; the zero address if a new list has no member.
    error LastMember(address addr);

    /// @notice The address cannot be used here.
    error InvalidAddress(address addr);

    /// @notice No account has this id.
    error UnknownAccount(uint256 id);

    /**
     * @notice A packed batch is not in its only valid form: the group of the entry with this key is not above the one before
     * it, or it writes no lane, or a lane that it does not write is not 0.
     */
    error InvalidPackedScores(uint256 key);

    /// @notice There are more than `max` rows from this offset on: request at most `max`.
    error PageTooLarge(uint64 limit, uint64 max);

    /// @notice The contract always has an owner: hand ownership over instead.
    error OwnerRequired();

    /// @notice Version of the contract, as in semantic versioning.
    function contractVersion() external pure returns (string memory);

    /**
     * @notice Finalizes a stage if nothing was written to it since its caller read total, count and revision ({getStage}).
     * @dev Reverts with {FinalizeMismatch} or {RevisionMismatch} otherwise. The count includes scores of 0. Total and count
     * alone do not reveal a write that keeps both, such as a swap of two scores.
     */
    function finalizeStageChecked(
        uint64 stage,
        uint64 expectedTotal,
        uint64 expectedCount,
        uint64 expectedRevision
    ) external;

    /**
     * @notice Sets the scores of registered accounts, four to a storage word. Emits one {UpdateScoresPacked}.
     * @dev The cheapest way to write. Groups must be strictly ascending, so no account can occur twice. Reverts with
     * {InvalidPackedScores}, {UnknownAccount}, or {TotalOverflow} when the total exceeds u64 after the batch.
     */
    function updateScoresPacked(uint64 stage, PackedScores[] calldata entries) external;

    /**
     * @notice Gives ids to accounts that have none, in the order given, without a score.
     * @dev For members. An account that has an id keeps it. Reverts with {InvalidAddress} for the zero address.
     */
    function registerAccounts(address[] calldata addrs) external;

    /// @notice Allows members to add and remove members, or reserves that for the owner. Initially true. For the owner.
    function setMembersCanManage(bool allowed) external;

    /// @notice Whether members may add and remove members.
    function membersCanManage() external view returns (bool);

    /**
     * @notice Sets the only account that may finalize stages, member or not. The zero address, the initial value, means any
     * member. For the owner.
     */
    function setFinalizer(address account) external;

    /// @notice The only account that may finalize stages; the zero address if any member may.
    function finalizer() external view returns (address);

    /**
     * @notice Replaces all allow-list members. The cost depends on the new members alone.
     * @dev For the owner. Reverts with {LastMember} for an empty list, with {InvalidAddress} for the zero address. Duplicates
     * count once.
     */
    function setAllowList(address[] calldata addrs) external;

    /// @notice How many allow-list members there are.
    function allowListCount() external view returns (uint256);

    /**
     * @notice A page of the allow-list members, in no particular order: short at the end, empty past it.
     * @dev At most 1,000 are returned, whatever the limit. Read all pages at one block.
     */
    function getAllowList(uint256 offset, uint256 limit) external view returns (address[] memory);

    /// @notice Everything about a stage except its rows, in one call.
    function getStage(uint64 stage) external view returns (StageInfo memory);

    /**
     * @notice The first rows of a stage whose ids are `fromId` or higher, at the same cost at any depth.
     * @dev At most 1,000 rows, whatever the limit. A row never changes its id. Skipping 4,096 ids without a score costs a read.
     * @param fromId Where to start: 0 or 1 for the first page, then the `nextId` of the page before.
     * @return rows In ascending order of id.
     * @return nextId Where the next page starts; 0 if this is the last page.
     */
    function getScoresFrom(
        uint64 stage,
        uint32 fromId,
        uint64 limit
    ) external view returns (AccountScore[] memory rows, uint32 nextId);

    /// @notice How many accounts have an id. Ids are 1 to this number.
    function accountCount() external view returns (uint32);

    /// @notice The ids of accounts; 0 for an account that has none.
    function idsOf(address[] calldata addrs) external view returns (uint32[] memory);
}
