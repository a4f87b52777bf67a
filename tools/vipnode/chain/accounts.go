package chain

import (
	"fmt"

	"github.com/cosmos/cosmos-sdk/crypto/hd"
	"github.com/cosmos/cosmos-sdk/crypto/keys/secp256k1"
	cryptotypes "github.com/cosmos/cosmos-sdk/crypto/types"
	sdk "github.com/cosmos/cosmos-sdk/types"

	"github.com/vipscore/vipscore/tools/vipnode/ethsecp256k1"
)

const (
	// EthCoinType is the coin type of wallets whose addresses are derived as on Ethereum (SLIP-44).
	EthCoinType = 60
	// CosmosCoinType is the coin type of wallets with a plain secp256k1 key (SLIP-44).
	CosmosCoinType = 118

	// FeeDenom is the denomination that the test accounts hold and pay fees in.
	FeeDenom = "umin"
	// testBalance is the initial balance of each test account. It fits the u64 of a Move coin.
	testBalance = 1_000_000_000_000_000
)

// Public mnemonics of the VIP integration guide (github.com/initia-labs/guides, integration-guides/vip), never for real
// funds.
const (
	deployerMnemonic = "room fruit chalk buyer budget wisdom theme sound north square regular truck deal anxiety " +
		"wrestle toy flight release actress critic saddle garment just found"
	operatorMnemonic = "glare boil shallow hurt distance grant rose pledge begin main stage affair alpha garlic " +
		"tornado enemy enable swallow unusual foster maid pelican also bus"
)

// TestAccount is an account with funds on a new chain and with a publicly known key.
type TestAccount struct {
	Key     cryptotypes.PrivKey
	Address sdk.AccAddress
}

// Deployer is the account that publishes a contract in the integration guide, with coin type EthCoinType or
// CosmosCoinType.
func Deployer(coinType uint32) TestAccount { return testAccount(deployerMnemonic, coinType) }

// Operator is the account that writes the scores in the integration guide, with coin type EthCoinType or CosmosCoinType.
func Operator(coinType uint32) TestAccount { return testAccount(operatorMnemonic, coinType) }

// TestAccounts are all of them, in the order of their account numbers, which start at 0.
func TestAccounts() []TestAccount {
	return []TestAccount{
		Deployer(EthCoinType), Operator(EthCoinType), Deployer(CosmosCoinType), Operator(CosmosCoinType),
	}
}

func testAccount(mnemonic string, coinType uint32) TestAccount {
	path := hd.CreateHDPath(coinType, 0, 0).String()
	secret, err := hd.Secp256k1.Derive()(mnemonic, "", path)
	if err != nil {
		panic(fmt.Sprintf("a constant mnemonic is valid: %v", err))
	}
	var key cryptotypes.PrivKey = &secp256k1.PrivKey{Key: secret}
	if coinType == EthCoinType {
		key = &ethsecp256k1.PrivKey{Key: secret}
	}
	return TestAccount{Key: key, Address: sdk.AccAddress(key.PubKey().Address())}
}
