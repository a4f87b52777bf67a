// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// NFTs whose pictures are in the contract. Mints them for the account that deploys it.
contract Pictures is ERC721("Circles", "CIR") {
    constructor() {
        for (uint256 id = 1; id <= 20; ++id) _mint(msg.sender, id);
    }

    function tokenURI(uint256 id) public pure override returns (string memory) {
        string memory number = Strings.toString(id);
        string memory hue = Strings.toString((id * 67) % 360);
        return
            string.concat(
                'data:application/json,{"name":"Circle ',
                number,
                '","image":"data:image/svg+xml,',
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><circle cx='4' cy='4' r='3' fill='oklch(0.7 0.15 ",
                hue,
                ")'/></svg>\"}"
            );
    }
}
