// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// An ERC-721 collection whose steps are played in one call. Its minter mints, and the owner of a token moves and burns it.
contract Collection {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    /// A transfer; a mint if it is from zero, a burn if it is to zero. The URI is that of a mint.
    struct Step {
        address from;
        address to;
        uint256 id;
        string uri;
    }

    address public minter = msg.sender;
    string private _name;
    mapping(uint256 id => address owner) private _owners;
    mapping(uint256 id => string uri) private _uris;

    constructor(string memory name_) {
        _name = name_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x80ac58cd || id == 0x01ffc9a7;
    }

    function name() external view returns (string memory) {
        return _name;
    }

    function ownerOf(uint256 id) public view returns (address owner) {
        owner = _owners[id];
        require(owner != address(0), "no such token");
    }

    function tokenURI(uint256 id) external view returns (string memory) {
        ownerOf(id);
        return _uris[id];
    }

    function handOver(address to) external {
        require(msg.sender == minter, "not the minter");
        minter = to;
    }

    function play(Step[] calldata steps) external {
        for (uint256 i = 0; i < steps.length; ++i) {
            Step calldata step = steps[i];
            require(_owners[step.id] == step.from, "not of this owner");
            require(msg.sender == (step.from == address(0) ? minter : step.from), "not allowed");
            _owners[step.id] = step.to;
            if (step.from == address(0)) _uris[step.id] = step.uri;
            emit Transfer(step.from, step.to, step.id);
        }
    }
}
