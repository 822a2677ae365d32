// SM3 of a file of any size, a slice at a time.

const SLICE = 4 << 20;

/** Feeds a Blob to a hash. `progress` is told how many bytes are done; what it returns is awaited. */
export async function feed(hash, blob, progress = () => {}) {
  for (let at = 0; at < blob.size; at += SLICE) {
    hash.update(await blob.slice(at, at + SLICE).arrayBuffer());
    await progress(Math.min(at + SLICE, blob.size));
  }
  return hash;
}
