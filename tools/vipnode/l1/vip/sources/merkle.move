/// The trees whose roots are the snapshots.
module vip::merkle {
    use std::bcs;
    use std::hash;
    use minitia_std::comparator;

    friend vip::vip;

    /// Returns the hash of one account's score: numbers are 8 bytes in little-endian order, an address has 32 bytes.
    public(friend) fun leaf(
        bridge_id: u64,
        stage: u64,
        account: address,
        l2_score: u64,
        total_l2_score: u64
    ): vector<u8> {
        let data = bcs::to_bytes(&bridge_id);
        data.append(bcs::to_bytes(&stage));
        data.append(bcs::to_bytes(&account));
        data.append(bcs::to_bytes(&l2_score));
        data.append(bcs::to_bytes(&total_l2_score));
        hash::sha3_256(data)
    }

    /// Returns the root to which the hashes of a proof lead: of each pair the smaller hash comes first.
    public(friend) fun root(leaf: vector<u8>, proof: vector<vector<u8>>): vector<u8> {
        proof.fold(leaf, |node, sibling| parent(node, sibling))
    }

    fun parent(one: vector<u8>, other: vector<u8>): vector<u8> {
        let order = comparator::compare_u8_vector(one, other);
        let (first, second) =
            if (comparator::is_smaller_than(&order)) (one, other)
            else (other, one);
        first.append(second);
        hash::sha3_256(first)
    }
}
