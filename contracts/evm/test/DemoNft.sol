// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/**
 * @title DemoNft
 * @notice An ERC-721 collection for local nodes, demonstrations and load tests: anyone may mint. Not for real chains.
 *
 * @dev The deployer is the contract's owner and may move and burn every token, so that a load test needs one key only.
 */
contract DemoNft is ERC721, Ownable {
    /// @notice `ids` and `to` must be equally long.
    error LengthMismatch();

    /// @notice The id of the last minted token; ids start at 1.
    uint256 public lastId;

    constructor(string memory name_, string memory symbol_) ERC721(name_, symbol_) Ownable(msg.sender) {}

    /// @notice Mints one token to each of `to`, in that order. The receivers are not called.
    function mint(address[] calldata to) external {
        uint256 id = lastId;
        for (uint256 i = 0; i < to.length; ++i) _mint(to[i], ++id);
        lastId = id;
    }

    /// @notice Moves the token `ids[i]` to `to[i]`. The receivers are not called.
    function transferMany(uint256[] calldata ids, address[] calldata to) external {
        if (ids.length != to.length) revert LengthMismatch();
        for (uint256 i = 0; i < ids.length; ++i) _transfer(_requireMine(ids[i]), to[i], ids[i]);
    }

    /// @notice Burns the tokens. Their ids are not reused.
    function burn(uint256[] calldata ids) external {
        for (uint256 i = 0; i < ids.length; ++i) {
            _requireMine(ids[i]);
            _burn(ids[i]);
        }
    }

    /// @dev Returns the token's owner; reverts unless the caller may act for it.
    function _requireMine(uint256 id) private view returns (address tokenOwner) {
        tokenOwner = _requireOwned(id);
        if (msg.sender != owner()) _checkAuthorized(tokenOwner, msg.sender, id);
    }

    function _baseURI() internal pure override returns (string memory) {
        return "https://nft.example.org/";
    }
}
