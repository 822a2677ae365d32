package io.github.kuaimi;

/** How a ciphertext of SM2 is written (GB/T 32918.4-2016; GM/T 0009-2012). C1 is a point, C2 the masked message, C3 a digest. */
public enum Sm2CiphertextForm {
    /** C1, C3, C2, one behind the other, C1 as the byte 04, x and y: the form of the standard of 2016. */
    C1C3C2,
    /** C1, C2, C3: the form before, which Bouncy Castle writes unless told otherwise. */
    C1C2C3,
    /** A sequence in DER (GM/T 0009-2012), which Kona writes. */
    DER
}
