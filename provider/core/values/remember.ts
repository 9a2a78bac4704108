/**
 * Makes a read remember its answers: each argument is read once, and all who ask meanwhile share it. Failures are
 * forgotten.
 */
export function remember<Value, Key = void>(
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const reads = new Map<Key, Promise<Value>>();
  return (key) => {
    const known = reads.get(key);
    if (known) return known;
    const fresh = read(key);
    reads.set(key, fresh);
    fresh.catch(() => reads.delete(key));
    return fresh;
  };
}
