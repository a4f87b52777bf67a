// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/**
 * @title IPublishedVipScore
 * @notice The interface through which the VIP agent and explorers read a scoring contract: that of the reference contract,
 * initia-labs/vip-score-evm. It must not change. {IVipScore} adds to it.
 */
interface IPublishedVipScore {
    /**
     * @notice One row of a page ordered by index.
     * @param addr The account.
     * @param amount Its score.
     * @param index Its place in the stage, from 1. Places follow account ids; while the stage is open, an account that is
     * scored for the first time moves those with higher ids up by one.
     */
    struct ScoreResponse {
        address addr;
        uint64 amount;
        uint64 index;
    }

    /// @notice A stage was created and is open.
    event CreateStage(uint64 stage);

    /// @notice A stage was finalized. Nothing in it can change any more.
    event FinalizeStage(uint64 stage);

    /**
     * @notice A score was written.
     * @param score The score of `addr` after the write.
     * @param totalScore The total of the stage after the write.
     */
    event UpdateScore(address indexed addr, uint64 indexed stage, uint64 score, uint64 totalScore);

    /// @notice The caller may not do this.
    error PermissionDenied(address deniedAddress);

    /// @notice Stages are numbered from 1.
    error ZeroStage();

    /// @notice `addrs` and `amounts` differ in length. The misspelling is part of the published interface.
    error AddrsAndAmountsLengthMistmatch();

    /// @notice The stage was never created.
    error StageNotFound(uint64 stage);

    /// @notice The stage is finalized.
    error StageFinalized(uint64 stage);

    /**
     * @notice Sets the scores of many accounts. Emits one {UpdateScore} a row.
     * @dev The zero address is silently skipped, as in the reference contract. If an account has two rows, the last
     * counts. Rows whose accounts have neighboring ids share storage words: sorting a batch by id (see {idsOf}) makes it
     * cheaper. Reverts with {TotalOverflow} when the total exceeds u64 after any row.
     */
    function updateScores(uint64 stage, address[] calldata addrs, uint64[] calldata amounts) external;

    /// @notice Sets the score of one account. The zero address is silently skipped.
    function updateScore(uint64 stage, address addr, uint64 amount) external;

    /**
     * @notice Adds to the score of one account. The zero address is silently skipped.
     * @dev Reverts with {ScoreOverflow} or {TotalOverflow}. Adding 0 gives the account a score of 0 if it had none.
     */
    function increaseScore(uint64 stage, address addr, uint64 amount) external;

    /**
     * @notice Subtracts from the score of one account. The zero address is silently skipped.
     * @dev Reverts with {InsufficientScore}. Subtracting 0 gives the account a score of 0 if it had none.
     */
    function decreaseScore(uint64 stage, address addr, uint64 amount) external;

    /**
     * @notice Freezes a stage and creates the next one. Prefer {IVipScore-finalizeStageChecked}.
     * @dev For the {finalizer}, or for members if none is set. A second call reverts with {StageFinalized}. After stage 2^64 - 1 there is no next stage.
     */
    function finalizeStage(uint64 stage) external;

    /**
     * @notice Adds an allow-list member; does nothing if the account is one.
     * @dev For the owner, and for members while {membersCanManage}. Reverts with {InvalidAddress} for the zero address.
     */
    function addAllowList(address addr) external;

    /**
     * @notice Removes an allow-list member; does nothing if the account is not one.
     * @dev For the owner, and for members while {membersCanManage}. Reverts with {LastMember} for the last member.
     */
    function removeAllowList(address addr) external;

    /// @notice The first stage.
    function initStage() external view returns (uint64);

    /// @notice A stage; all zero if it was never created.
    function stages(uint64 number) external view returns (uint64 stage, uint64 totalScore, bool isFinalized);

    /// @notice The score of an account in a stage, and whether the account has one (possibly 0) there.
    function scores(uint64 stage, address addr) external view returns (bool isIndexed, uint64 amount);

    /// @notice Whether `addr` is an allow-list member.
    function allowList(address addr) external view returns (bool);

    /**
     * @notice A page of a stage, filled up to `limit` rows with zero rows. Prefer {IVipScore-getScoresFrom}.
     * @dev Readers stop at the first zero row. At most 5,000 rows are returned: a larger `limit` counts as 5,000, unless
     * that would hide rows from a reader who steps by `limit`, which reverts with {PageTooLarge}.
     * @param offset How many rows to leave out, from the first one. An offset past the end gives zero rows.
     */
    function getScores(uint64 stage, uint64 offset, uint64 limit) external view returns (ScoreResponse[] memory);
}
