package mempool

// followBlocks updates the pool after each block.
func (p *Pool) followBlocks() {
	defer p.ended.Done()
	for {
		select {
		case <-p.watch.committed:
			p.afterBlock()
		case <-p.ctx.Done():
			return
		}
	}
}

// afterBlock releases the transactions whose turn came with a block, and forgets old gaps.
func (p *Pool) afterBlock() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.dropLeft()
	for _, account := range p.accounts {
		if p.refresh(account) {
			p.promote(account)
		}
		p.keep(account)
	}
}

// dropLeft forgets the transactions that CometBFT's mempool no longer holds.
func (p *Pool) dropLeft() {
	for _, key := range p.watch.takeLeft() {
		at, found := p.active[key]
		if !found {
			continue
		}
		delete(p.active, key)
		if account := p.accounts[at.sender]; account != nil && account.active[at.sequence] == key {
			delete(account.active, at.sequence)
		}
	}
}

// refresh reads the state of an account; false if it does not exist.
func (p *Pool) refresh(account *account) bool {
	committed, exists := p.chain.Sequence(account.address)
	if exists {
		account.follow(committed)
		account.expire(p.chain.Now())
	}
	return exists
}

// keep remembers an account as long as it has transactions.
func (p *Pool) keep(account *account) {
	if len(account.active) == 0 && len(account.waiting) == 0 {
		delete(p.accounts, string(account.address))
		return
	}
	p.accounts[string(account.address)] = account
}

func (p *Pool) countWaiting() int {
	count := 0
	for _, account := range p.accounts {
		count += len(account.waiting)
	}
	return count
}
