//! How signatures are written, for SM2 and SM9.

options! {
    /// A form of a signature.
    pub enum kuaimi_signature_form {
        /// The numbers alone: SM2's r and s, 64 bytes; SM9's h and S, 96 bytes.
        KUAIMI_SIGNATURE_RAW = 1,
        /// DER (GM/T 0009; SM9: GB/T 41389). Reading is strict: a signature has one encoding.
        KUAIMI_SIGNATURE_DER = 2,
        /// SM2, for reading alone: DER as some vendors write it against the rules. One signature
        /// then has many encodings.
        KUAIMI_SIGNATURE_DER_LENIENT = 3,
        /// SM2, for reading alone: DER or the 64 bytes, whichever it is.
        KUAIMI_SIGNATURE_ANY = 4,
    }
}
