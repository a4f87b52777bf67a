package chain_test

import (
	"context"
	"fmt"
	"testing"

	signingv1beta1 "cosmossdk.io/api/cosmos/tx/signing/v1beta1"
	txsigning "cosmossdk.io/x/tx/signing"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/tx/signing"
	authsigning "github.com/cosmos/cosmos-sdk/x/auth/signing"

	"github.com/vipscore/vipscore/tools/vipnode/chain"
	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// The Ethereum app adds this prefix to what it is sent, and the number of the mode is part of the transaction.
func TestEIP191SignBytes(t *testing.T) {
	encoding, err := chain.NewEncoding(nil)
	if err != nil {
		t.Fatal(err)
	}
	sender := chain.Deployer(chain.EthCoinType).Address
	builder := encoding.Tx.NewTxBuilder()
	if err := builder.SetMsgs(chaintest.Payment(sender, recipient, 5)); err != nil {
		t.Fatal(err)
	}
	builder.SetGasLimit(100)
	signer := txsigning.SignerData{Address: sender.String(), ChainID: "chain-1", AccountNumber: 7, Sequence: 3}
	data := builder.GetTx().(authsigning.V2AdaptableTx).GetSigningTxData()
	message, err := encoding.Tx.SignModeHandler().GetSignBytes(context.Background(), signingv1beta1.SignMode(191), signer, data)
	if err != nil {
		t.Fatal(err)
	}
	document := fmt.Sprintf(`{"account_number":"7","chain_id":"chain-1","fee":{"amount":[],"gas":"100"},"memo":"",`+
		`"msgs":[{"type":"cosmos-sdk/MsgSend","value":{"amount":[{"amount":"5","denom":"umin"}],`+
		`"from_address":"%s","to_address":"%s"}}],"sequence":"3"}`, sender, recipient)
	if want := fmt.Sprintf("\x19Ethereum Signed Message:\n%d%s", len(document), document); string(message) != want {
		t.Errorf("%q\nwant %q", message, want)
	}
}

func TestBothKeyTypesSignForHardwareWallets(t *testing.T) {
	for _, mempool := range []chain.Mempool{chain.MempoolInitia, chain.MempoolClassic} {
		t.Run(string(mempool), func(t *testing.T) {
			_, client := chaintest.Start(t, chain.Options{Mempool: mempool})
			for number, sender := range chain.TestAccounts() {
				for sequence, mode := range chaintest.HardwareModes {
					signed := chaintest.Signed{
						ChainID: "vipnode-test-1", Key: sender.Key, AccountNumber: uint64(number), Sequence: uint64(sequence),
						Gas: chaintest.Gas, Mode: mode, Messages: []sdk.Msg{chaintest.Payment(sender.Address, recipient, 1)},
					}
					client.AcceptOnlyUnchanged(signed)
				}
			}
		})
	}
}

// A hardware wallet signs amino JSON, which has no place for an extension, so a mempool never queues its transactions.
func TestHardwareWalletsSignNoExtension(t *testing.T) {
	_, client := chaintest.Start(t, chain.Options{})
	sender := chain.Deployer(chain.EthCoinType)
	number, sequence := client.Account(sender.Address)
	signed := chaintest.Signed{
		ChainID: "vipnode-test-1", Key: sender.Key, AccountNumber: number, Sequence: sequence, Gas: chaintest.Gas, Queued: true,
		Messages: []sdk.Msg{chaintest.Payment(sender.Address, recipient, 1)},
	}
	for _, mode := range chaintest.HardwareModes {
		if tx := client.WithMode(client.Sign(signed), mode); client.Broadcast(tx).Code != 4 {
			t.Errorf("%s: %+v", mode, client.Broadcast(tx))
		}
	}
	if result := client.Broadcast(client.WithMode(client.Sign(signed), signing.SignMode_SIGN_MODE_TEXTUAL)); result.Code == 0 {
		t.Error("a mode without a handler is accepted")
	}
}
