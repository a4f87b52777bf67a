script {
    use std::string::String;
    use board::board;

    fun note_in_script<T>(who: &signer, text: String) {
        board::note<T>(who, text);
    }
}
