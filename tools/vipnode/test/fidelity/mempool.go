package fidelity

// searchHashRoute looks a transaction up over RPC, by its hash in base64.
const searchHashRoute = "rpc tx"

// ReplayMempool replays the mempool recording in one file. It releases transactions into a block when a recorded lookup found
// one, and not before: on the recorded chain all transactions sent until then were in the mempool together.
func (r *Replayer) ReplayMempool(file string, exchanges []Exchange) {
	r.T.Helper()
	release := r.Node.HoldTransactions()
	defer func() { release() }()
	isHeld := true
	for i, one := range exchanges {
		hash := one.foundHash()
		switch {
		case one.isBroadcast():
			content, err := one.Transaction()
			if err != nil {
				r.T.Fatalf("%s exchange %d: %v", file, i, err)
			}
			r.kinds[TransactionHash(content)] = r.kindOfTransaction(content)
			if !isHeld {
				release, isHeld = r.Node.HoldTransactions(), true
			}
		case hash != "":
			release()
			isHeld = false
			r.Client.Wait(hash)
		}
		r.ask(file, i, one)
	}
}

// foundHash returns the hash of the transaction that a lookup found, or "".
func (e Exchange) foundHash() string {
	if e.isBroadcast() {
		return ""
	}
	if e.Route() == searchHashRoute {
		return ValueAt(e.Response.Body, "result.hash")
	}
	return ValueAt(e.Response.Body, "tx_response.txhash")
}
