package io.github.kuaimi.cms;

/** The cipher of a message's content. */
public enum GmCipher {
    /** SM4-CBC, what most programs read. It is not authenticated: who can change the message can change the content. */
    SM4_CBC,
    /** SM4-GCM, which detects any change: authEnvelopedData (RFC 5083). GM/T 0010 does not have it. */
    SM4_GCM,
    /** SM4-CBC, named without the mode, as CFCA's SADK does. */
    SM4_CBC_SADK
}
