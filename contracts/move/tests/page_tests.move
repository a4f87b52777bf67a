#[test_only]
/// Where a page starts (M12).
module vip_score::page_tests {
    use std::option::{Self, Option};

    use vip_score::contract_setup;
    use vip_score::vip_score;

    fun assert_page(
        stage: u64, limit: u16, start_after: Option<address>, addrs: vector<address>, scores: vector<u64>
    ) {
        let (found_stage, found_addrs, found_scores) =
            vip_score::unpack_page(vip_score::get_scores(stage, limit, start_after));
        assert!(found_stage == stage, 1);
        assert!(found_addrs == addrs, 2);
        assert!(found_scores == scores, 3);
    }

    #[test(deployer = @0x7)]
    fun pages_descend_and_start_after(deployer: &signer) {
        contract_setup::open(deployer, 1);
        vip_score::update_score_script(
            deployer, 1, vector[@0x2, @0x4, @0x1, @0x3], vector[20, 40, 10, 0]
        );
        assert_page(1, 10, option::none(), vector[@0x4, @0x3, @0x2, @0x1], vector[40, 0, 20, 10]);
        assert_page(1, 2, option::none(), vector[@0x4, @0x3], vector[40, 0]);
        assert_page(1, 2, option::some(@0x3), vector[@0x2, @0x1], vector[20, 10]);
        assert_page(1, 2, option::some(@0x1), vector[], vector[]);
        // Not the address of a row.
        assert_page(1, 1, option::some(@0x5), vector[@0x4], vector[40]);
    }

    #[test(deployer = @0x7)]
    fun empty_pages(deployer: &signer) {
        contract_setup::open(deployer, 1);
        assert_page(1, 10, option::none(), vector[], vector[]);
        assert_page(2, 10, option::none(), vector[], vector[]);
        vip_score::update_score(deployer, @0x1, 1, 5);
        assert_page(1, 0, option::none(), vector[], vector[]);
        // No account is below the zero address, although it is the zero value of the iterator's bounds.
        assert_page(1, 10, option::some(@0x0), vector[], vector[]);
    }
}
