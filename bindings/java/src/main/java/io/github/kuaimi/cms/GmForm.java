package io.github.kuaimi.cms;

/** What the object identifiers of a message are written after. All forms are read without being named. */
public enum GmForm {
    /** GM/T 0010-2012 (GB/T 35275): what banks and authorities in China expect, and {@code emmansun/gmsm} reads. */
    GM,
    /** CMS, RFC 5652: what OpenSSL and Bouncy Castle read. */
    CMS,
    /** {@link #GM} with the names of algorithms that GmSSL 3 reads: for encrypted messages alone. */
    GMSSL
}
