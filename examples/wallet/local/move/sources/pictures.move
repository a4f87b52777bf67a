/// NFTs whose pictures are in their URIs. Mints them for the account that publishes the module.
module pictures::pictures {
    use std::option;
    use std::string::{Self, String, utf8};
    use minitia_std::bigdecimal;
    use minitia_std::simple_nft;
    use minitia_std::string_utils;

    fun init_module(publisher: &signer) {
        let collection = utf8(b"Squares");
        let none = utf8(b"");
        simple_nft::create_collection(
            publisher, none, option::none(), collection, none, true, true, true, true, true, true, bigdecimal::zero()
        );
        for (id in 1..8) mint(publisher, collection, id, picture(id));
        // Pages show why these two have no picture.
        mint(publisher, collection, 8, utf8(b"data:application/json,{\"image\":\"data:image/png,\"}"));
        mint(publisher, collection, 9, utf8(b"http://example.org/9.json"));
    }

    fun mint(publisher: &signer, collection: String, id: u64, uri: String) {
        let number = string_utils::to_string(&id);
        simple_nft::mint(
            publisher, collection, utf8(b""), number, uri, vector[], vector[], vector[], option::none()
        );
    }

    fun picture(id: u64): String {
        let uri = utf8(b"data:application/json,{\"name\":\"Square ");
        string::append(&mut uri, string_utils::to_string(&id));
        string::append_utf8(&mut uri, b"\",\"image\":\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'>");
        string::append_utf8(&mut uri, b"<rect x='1' y='1' width='6' height='6' fill='oklch(0.7 0.15 ");
        string::append(&mut uri, string_utils::to_string(&(id * 67 % 360)));
        string::append_utf8(&mut uri, b")'/></svg>\"}");
        uri
    }
}
