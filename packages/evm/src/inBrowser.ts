// Bundlers for browsers take this file for the package. It has no exports, so that a page that imports one does not build.
throw new Error("@vipscore/evm needs Node: in a page, read scores with viem and the ABI of @vipscore/evm/abi");
