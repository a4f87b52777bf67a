// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {VipScore} from "../src/VipScore.sol";
import {IVipScore} from "../src/IVipScore.sol";
import {SumProofs} from "./SumProofs.sol";

/**
 * @title VipScoreProofs
 * @notice What a scoring contract never does, for halmos to prove: each function `check_...` is one statement.
 *
 * @dev Inherit it, name your contract in {deployScores} and {contractName}, and run `halmos`.
 *
 * A statement holds for any state, any caller, any value, any time and any chain: the contract's code runs on storage of which
 * nothing is known, not even what the constructor wrote. So a call that follows any other calls is one call on some state, and
 * what one call leaves as it is, any number of calls leaves as it is.
 *
 * What the statements do not cover: arrays of more than two elements, calldata that Solidity's ABI encoder does not write, a
 * storage slot whose number stands in assembly, what other contracts do that yours calls, and a call that runs out of gas.
 *
 * Loops run two rounds, for a packed entry four: a row sets one bit in the count, an entry four. halmos warns where it cannot
 * tell that a loop ends there.
 *
 * A statement about all calls has three functions, because halmos explores each in its own time: one for all functions and
 * arrays of up to one element (none of a packed batch), one for a packed batch of an entry, and one for two rows.
 *
 * Some states cannot occur. A statement excludes them with `vm.assume`, and {check_ids} shows that no call leads to one:
 *
 * - an account's id is at most the number of accounts, and no other account has it; the zero address has none;
 * - a stage has no row for an id above that number, nor for id 0;
 * - the stage at a number has this number, or none.
 */
abstract contract VipScoreProofs is SumProofs {
    // A finalized stage keeps its number, total, count, revision and flag, and the score of each account with an id

    /// @custom:halmos --default-array-lengths 0,1
    function check_finalizedStage(uint64 stage, address account, address caller, uint128 value) public {
        _checkFinalizedStage(stage, account, caller, value, _anyUnpackedCall());
    }

    /// @custom:halmos --loop 4
    function check_finalizedStage_packed(
        uint64 stage,
        address account,
        address caller,
        uint256 key,
        uint256 amounts,
        uint64 written
    ) public {
        _checkFinalizedStage(stage, account, caller, 0, _packedCall(written, key, amounts));
    }

    function check_finalizedStage_twoRows(
        uint64 stage,
        address account,
        address caller,
        uint64 written,
        address[2] memory addrs,
        uint64[2] memory amounts
    ) public {
        _checkFinalizedStage(stage, account, caller, 0, _rowsCall(written, addrs, amounts));
    }

    function _checkFinalizedStage(
        uint64 stage,
        address account,
        address caller,
        uint128 value,
        bytes memory data
    ) private {
        IVipScore.StageInfo memory info = target.getStage(stage);
        vm.assume(info.isFinalized);
        vm.assume(info.stage == stage);
        vm.assume(_idOf(account) != 0);
        Row memory row = _rowOf(stage, account);
        _call(caller, value, data);
        assert(_isSame(target.getStage(stage), info));
        assert(_isSameRow(_rowOf(stage, account), row));
    }

    // Who may do what

    /// @dev A stage is finalized by a finalizer only; a manager alone changes members, and the owner alone the finalizer and who
    /// manages. The first stage stays, and the owner is the one that the last owner offered it to.
    /// @custom:halmos --default-array-lengths 0,1
    function check_roles(uint64 stage, address account, address caller, uint128 value) public {
        _checkRoles(stage, account, caller, value, _anyUnpackedCall());
    }

    /// @custom:halmos --loop 4
    function check_roles_packed(
        uint64 stage,
        address account,
        address caller,
        uint256 key,
        uint256 amounts,
        uint64 written
    ) public {
        _checkRoles(stage, account, caller, 0, _packedCall(written, key, amounts));
    }

    function check_roles_twoRows(
        uint64 stage,
        address account,
        address caller,
        uint64 written,
        address[2] memory addrs,
        uint64[2] memory amounts
    ) public {
        _checkRoles(stage, account, caller, 0, _rowsCall(written, addrs, amounts));
    }

    function _checkRoles(uint64 stage, address account, address caller, uint128 value, bytes memory data) private {
        Roles memory a = _rolesOf(stage, account, caller);
        bool success = _call(caller, value, data);
        Roles memory b = _rolesOf(stage, account, caller);
        bool accepts = _and(success, _and(bytes4(data) == target.acceptOwnership.selector, caller == a.pendingOwner));
        bool offers = _and(bytes4(data) == target.transferOwnership.selector, caller == a.owner);
        assert(
            _all(
                [
                    a.initStage == b.initStage,
                    _or(a.isFinalized == b.isFinalized, _and(b.isFinalized, a.mayFinalize)),
                    _or(a.isMember == b.isMember, a.isManager),
                    _or(_and(a.finalizer == b.finalizer, a.membersCanManage == b.membersCanManage), caller == a.owner),
                    _or(b.owner == a.owner, _and(accepts, b.owner == caller)),
                    _or(_or(accepts, offers), b.pendingOwner == a.pendingOwner)
                ]
            )
        );
    }

    struct Roles {
        uint64 initStage;
        bool isFinalized;
        bool isMember;
        bool membersCanManage;
        address owner;
        address pendingOwner;
        address finalizer;
        bool mayFinalize;
        bool isManager;
    }

    function _rolesOf(uint64 stage, address account, address caller) private view returns (Roles memory roles) {
        (, , roles.isFinalized) = target.stages(stage);
        (roles.isMember, roles.membersCanManage) = (target.allowList(account), target.membersCanManage());
        (roles.owner, roles.pendingOwner, roles.finalizer) = (
            target.owner(),
            target.pendingOwner(),
            target.finalizer()
        );
        (roles.initStage, roles.mayFinalize) = (target.initStage(), _mayFinalize(caller));
        roles.isManager = _or(caller == roles.owner, _and(roles.membersCanManage, target.allowList(caller)));
    }

    /// @dev Who is no member changes no score, total, count and revision. See {writesForAnyone}.
    function check_strangers(uint64 stage, address account, address caller, uint128 value) public {
        vm.assume(!target.allowList(caller));
        vm.assume(_idOf(account) != 0);
        (IVipScore.StageInfo memory a, Row memory row) = (target.getStage(stage), _rowOf(stage, account));
        bytes memory data = _anyCall();
        vm.assume(!writesForAnyone(bytes4(data)));
        _call(caller, value, data);
        IVipScore.StageInfo memory b = target.getStage(stage);
        assert(a.totalScore == b.totalScore);
        assert(_and(a.scoreCount == b.scoreCount, a.revision == b.revision));
        assert(_isSameRow(_rowOf(stage, account), row));
    }

    // No call leads to a state that the other statements exclude

    /// @dev An account keeps its id, the zero address gets none, a new id is in the count, and a stage keeps its number. The
    /// statements of {SumProofs} show that a call writes rows of ids in the count only.
    /// @custom:halmos --default-array-lengths 0,1
    function check_ids(uint64 stage, address account, address other, address caller) public {
        _checkIds(stage, account, other, caller, _anyUnpackedCall());
    }

    /// @custom:halmos --loop 4
    function check_ids_packed(
        uint64 stage,
        address account,
        address other,
        address caller,
        uint256 key,
        uint256 amounts,
        uint64 written
    ) public {
        _checkIds(stage, account, other, caller, _packedCall(written, key, amounts));
    }

    function check_ids_twoRows(
        uint64 stage,
        address account,
        address other,
        address caller,
        uint64 written,
        address[2] memory addrs,
        uint64[2] memory amounts
    ) public {
        _checkIds(stage, account, other, caller, _rowsCall(written, addrs, amounts));
    }

    function _checkIds(uint64 stage, address account, address other, address caller, bytes memory data) private {
        (uint256 count, uint256 id, uint256 otherId) = (_accountCount(), _idOf(account), _idOf(other));
        vm.assume(account != other);
        vm.assume(count <= type(uint32).max);
        vm.assume(id <= count);
        vm.assume(otherId <= count);
        vm.assume(_or(id == 0, id != otherId));
        (uint64 number, , ) = target.stages(stage);
        vm.assume(_or(number == 0, number == stage));
        _call(caller, 0, data);
        uint256 idNow = _idOf(account);
        (uint64 numbered, , ) = target.stages(stage);
        assert(
            _all(
                [
                    _accountCount() >= count,
                    _or(idNow == id, id == 0),
                    _or(idNow == id, account != address(0)),
                    idNow <= _accountCount(),
                    _or(idNow == 0, idNow != _idOf(other)),
                    _or(numbered == number, _and(number == 0, numbered == stage))
                ]
            )
        );
    }

    // Checked finalize

    /// @dev It succeeds exactly if a finalizer names the total, count and revision of an open stage, and sets the flag alone.
    function check_finalizeStageChecked(
        uint64 stage,
        uint64 total,
        uint64 count,
        uint64 revision,
        address caller
    ) public {
        IVipScore.StageInfo memory info = target.getStage(stage);
        vm.assume(_or(info.stage == 0, info.stage == stage));
        bool isFound = _and(_and(info.totalScore == total, info.scoreCount == count), info.revision == revision);
        bool isOpen = _and(info.stage != 0, !info.isFinalized);
        bool isDue = _and(_and(isFound, isOpen), _mayFinalize(caller));
        bool success = _call(caller, 0, abi.encodeCall(target.finalizeStageChecked, (stage, total, count, revision)));
        assert(_or(isDue, !success));
        assert(_or(success, !isDue) || mayRefuseToFinalize());
        info.isFinalized = _or(info.isFinalized, success);
        assert(_isSame(target.getStage(stage), info));
    }

    // Reading

    /// @dev What readers and L1 ask for answers in any state.
    function check_reads(uint64 stage, address account) public view {
        assert(_answers(abi.encodeCall(target.contractVersion, ())));
        assert(_answers(abi.encodeCall(target.initStage, ())));
        assert(_answers(abi.encodeCall(target.stages, (stage))));
        assert(_answers(abi.encodeCall(target.scores, (stage, account))));
        assert(_answers(abi.encodeCall(target.allowList, (account))));
        assert(_answers(abi.encodeCall(target.getStage, (stage))));
        assert(_answers(abi.encodeCall(target.accountCount, ())));
    }

    /// @dev Pages have the rows that were written, from any place and of any length: of a new contract with two rows.
    function check_pages(address[2] memory addrs, uint64[2] memory amounts) public {
        VipScore scores = deployScores();
        uint64 stage = scores.initStage();
        vm.assume(addrs[0] != addrs[1]);
        vm.assume(addrs[0] != address(0));
        vm.assume(addrs[1] != address(0));
        scores.updateScore(stage, addrs[0], amounts[0]);
        scores.updateScore(stage, addrs[1], amounts[1]);
        for (uint32 from = 0; from <= 3; ++from) {
            for (uint64 limit = 0; limit <= 3; ++limit) {
                (IVipScore.AccountScore[] memory rows, uint32 next) = scores.getScoresFrom(stage, from, limit);
                uint32 id = from == 0 ? 1 : from;
                for (uint256 i = 0; i < rows.length; (++i, ++id)) {
                    assert(rows[i].id == id);
                    assert(rows[i].addr == addrs[id - 1]);
                    assert(rows[i].amount == amounts[id - 1]);
                }
                assert(id > 2 ? next == 0 : rows.length == limit && next == id);
                VipScore.ScoreResponse[] memory page = scores.getScores(stage, from, limit);
                assert(page.length == limit);
                for (uint256 i = 0; i < limit; ++i) {
                    uint256 place = from + i;
                    assert(page[i].addr == (place < 2 ? addrs[place] : address(0)));
                    assert(page[i].amount == (place < 2 ? amounts[place] : 0));
                    assert(page[i].index == (place < 2 ? place + 1 : 0));
                }
            }
        }
    }

    /// @dev The statements read ids and scores from the slots of SPEC.md (E17).
    function check_slots(uint64 stage, address account) public view {
        address[] memory accounts = new address[](1);
        accounts[0] = account;
        assert(target.idsOf(accounts)[0] == uint32(_idOf(account)));
        assert(target.accountCount() == uint32(_accountCount()));
        (bool isIndexed, uint64 amount) = target.scores(stage, account);
        assert(_isSameRow(_rowOf(stage, account), Row(isIndexed, amount)));
    }

    // What your contract does differently

    /// @dev Functions that write scores for callers who are no members, such as a claim. Override it if your contract has one.
    function writesForAnyone(bytes4) internal view virtual returns (bool) {
        return false;
    }

    /// @dev Whether a checked finalize may fail although it names what is there, for another reason of your contract.
    function mayRefuseToFinalize() internal view virtual returns (bool) {
        return false;
    }
}
