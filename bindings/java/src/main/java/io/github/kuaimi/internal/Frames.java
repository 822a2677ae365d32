package io.github.kuaimi.internal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Lists of bytes in one array, as native code takes and returns them: before each item stand its length and four bytes for it. */
public final class Frames {
    private Frames() {}

    /** A list of these items. */
    public static byte[] list(Collection<byte[]> items) {
        int length = 0;
        for (byte[] item : items) {
            length = Math.addExact(length, Math.addExact(4, item.length));
        }
        ByteBuffer list = ByteBuffer.allocate(length);
        for (byte[] item : items) {
            list.putInt(item.length).put(item);
        }
        return list.array();
    }

    /** The items of a list that native code made. */
    public static List<byte[]> items(byte[] list) {
        List<byte[]> items = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(list);
        while (rest.hasRemaining()) {
            byte[] item = new byte[rest.getInt()];
            rest.get(item);
            items.add(item);
        }
        return items;
    }
}
