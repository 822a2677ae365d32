package io.github.kuaimi.cms;

import java.security.GeneralSecurityException;

/**
 * Bytes that are no message, or not one of the kind that is needed, or that have what is not supported. The text says which. It is
 * thrown before any key is used.
 */
public class GmMessageException extends GeneralSecurityException {
    private static final long serialVersionUID = 1;

    /** @param reason what is wrong, and where */
    public GmMessageException(String reason) {
        super(reason);
    }
}
