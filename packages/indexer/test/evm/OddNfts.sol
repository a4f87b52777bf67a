// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Emits the requested events and does not describe itself: no ERC-165, no name, no URI.
contract Silent {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event MetadataUpdate(uint256 tokenId);

    struct Move {
        address from;
        address to;
        uint256 id;
    }

    function emitTransfers(Move[] calldata moves) external {
        for (uint256 i = 0; i < moves.length; ++i) emit Transfer(moves[i].from, moves[i].to, moves[i].id);
    }

    function emitMetadataUpdate(uint256 id) external {
        emit MetadataUpdate(id);
    }
}

contract Erc165 is Silent {
    function supportsInterface(bytes4 id) external pure virtual returns (bool) {
        return id == 0x80ac58cd || id == 0x01ffc9a7;
    }
}

contract RevertingName is Erc165 {
    function name() external pure returns (string memory) {
        revert("no name");
    }

    function tokenURI(uint256) external pure returns (string memory) {
        revert("no URI");
    }
}

/// Like early collections: no ERC-165, and a name of 32 bytes.
contract WordName is Silent {
    function name() external pure returns (bytes32) {
        return "Old Cats";
    }
}

contract GiganticName is Erc165 {
    function name() external pure returns (string memory) {
        return string(new bytes(60_000));
    }

    function tokenURI(uint256 id) external pure returns (string memory) {
        bytes memory text = new bytes(id);
        for (uint256 i = 0; i < id; ++i) text[i] = "u";
        return string(text);
    }
}

contract LongName is Erc165 {
    function name() external pure returns (string memory) {
        bytes memory text = new bytes(2_000);
        for (uint256 i = 0; i < 2_000; ++i) text[i] = "n";
        return string(text);
    }
}

/// A string whose length claims to exceed any answer.
contract EndlessName is Erc165 {
    function name() external pure returns (string memory) {
        assembly {
            mstore(0, 32)
            mstore(32, not(0))
            return(0, 64)
        }
    }
}

contract GarbageName is Erc165 {
    function name() external pure returns (string memory) {
        return string(bytes(hex"42616400ff0afe20436174"));
    }

    function tokenURI(uint256) external pure returns (string memory) {
        return string(bytes(hex"ff00"));
    }
}

contract EmptyAnswers is Silent {
    fallback() external {}
}

/// Requests more memory than any gas limit pays for.
contract GasBurner is Silent {
    fallback() external {
        assembly {
            mstore(0xffffffffff, 1)
        }
    }
}

/// Fills blocks with logs, and has URIs of any length without storing them.
contract Hostile is Erc165 {
    string public constant name = "Hostile";
    uint256 public uriBytes;

    function setUriBytes(uint256 length) external {
        uriBytes = length;
    }

    /// Logs of MetadataUpdate without an argument, which do not concern a token.
    function emitEmpty(uint256 count) external {
        bytes32 topic = MetadataUpdate.selector;
        assembly {
            for {
                let i := 0
            } lt(i, count) {
                i := add(i, 1)
            } {
                log1(0, 0, topic)
            }
        }
    }

    /// Mints the tokens from `first` on with logs only.
    function mintMany(address to, uint256 first, uint256 count) external {
        bytes32 topic = Transfer.selector;
        assembly {
            let end := add(first, count)
            for {
                let id := first
            } lt(id, end) {
                id := add(id, 1)
            } {
                log4(0, 0, topic, 0, to, id)
            }
        }
    }

    /// `uriBytes` bytes, the first 32 of which are the id.
    function tokenURI(uint256 id) external view returns (string memory) {
        uint256 length = uriBytes;
        assembly {
            mstore(0, 32)
            mstore(32, length)
            mstore(64, id)
            return(0, add(64, and(add(length, 31), not(31))))
        }
    }
}

/// An ERC-20 that indexes the value: its transfers look like those of ERC-721.
contract IndexedErc20 is Silent {
    function decimals() external pure returns (uint8) {
        return 18;
    }

    function name() external pure returns (string memory) {
        return "Coin";
    }
}

contract DeniesErc721 is Erc165 {
    function supportsInterface(bytes4) external pure override returns (bool) {
        return false;
    }
}

/// Destroys itself and its code in the transaction that creates it.
contract Gone is Silent {
    constructor(address to) {
        emit Transfer(address(0), to, 1);
        selfdestruct(payable(to));
    }
}

/// Emits its first token in its constructor.
contract Minting is Silent {
    constructor(address to) {
        emit Transfer(address(0), to, 1);
    }
}

contract Factory {
    function make(address to) external {
        new Minting(to);
    }
}

contract PlainErc20 {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function emitTransfer(address to) external {
        emit Transfer(address(0), to, 1);
    }
}

/// A real collection that mints, moves and burns within one call, and changes its URIs.
contract Lively is Erc165 {
    string public constant name = "Lively";
    mapping(uint256 id => address owner) public owners;
    mapping(uint256 id => string uri) private _uris;

    function churn(address a, address b) external {
        _move(address(0), a, 1);
        _move(a, b, 1);
        _move(b, b, 1);
        _move(address(0), a, 2);
        _move(a, address(0), 2);
        _move(address(0), b, 3);
        _move(b, address(0), 3);
        _move(address(0), a, 3);
    }

    function setUri(uint256 id, string calldata uri) external {
        _uris[id] = uri;
        emit MetadataUpdate(id);
    }

    function tokenURI(uint256 id) external view returns (string memory) {
        require(owners[id] != address(0), "no such token");
        return _uris[id];
    }

    function _move(address from, address to, uint256 id) private {
        owners[id] = to;
        emit Transfer(from, to, id);
    }
}

/// Gives ranges of tokens to accounts by ERC-2309, changes all URIs at once, and takes much gas for some.
contract Batches is Erc165 {
    event ConsecutiveTransfer(
        uint256 indexed fromTokenId,
        uint256 toTokenId,
        address indexed fromAddress,
        address indexed toAddress
    );
    event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId);

    string private _base = "hidden";
    uint256 public gasOfUri;

    function batch(uint256 first, uint256 last, address from, address to) external {
        emit ConsecutiveTransfer(first, last, from, to);
    }

    function reveal(uint256 first, uint256 last) external {
        _base = "final";
        emit BatchMetadataUpdate(first, last);
    }

    function setGasOfUri(uint256 amount) external {
        gasOfUri = amount;
    }

    function tokenURI(uint256) external view returns (string memory) {
        uint256 start = gasleft();
        while (start - gasleft() < gasOfUri) {}
        return _base;
    }
}

/// Its override of ERC-165 forgot ERC-721, and kept the metadata.
contract ForgotErc721 is Erc165 {
    function supportsInterface(bytes4 id) external pure override returns (bool) {
        return id == 0x5b5e139f;
    }
}

/// Denies ERC-721, and has owners.
contract OwnersOnly is DeniesErc721 {
    function ownerOf(uint256) external view returns (address) {
        return address(this);
    }
}

/// A proxy whose first implementation is no collection.
contract Late is Silent {
    bool private _isCollection;

    function upgrade() external {
        _isCollection = true;
    }

    function supportsInterface(bytes4 id) external view returns (bool) {
        return _isCollection && id == 0x80ac58cd;
    }
}

/// A proxy that is known before its implementation: each part of that fails until it is there.
contract Implemented is Silent {
    bool private _hasName;
    bool private _hasUris;

    function implement(bool hasName, bool hasUris) external {
        (_hasName, _hasUris) = (hasName, hasUris);
    }

    function name() external view returns (string memory) {
        require(_hasName);
        return "Late";
    }

    function tokenURI(uint256 id) external view returns (string memory) {
        require(_hasUris);
        return id < 300 ? "low" : "high";
    }
}
