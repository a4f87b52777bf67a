#[test_only]
module counter::counter_tests {
    use counter::counter;

    #[test(owner = @0x7)]
    fun it_grows(owner: &signer) {
        counter::create(owner);
        counter::raise(@0x7, 5);
        assert!(counter::value(@0x7) == 5, 1);
    }
}
