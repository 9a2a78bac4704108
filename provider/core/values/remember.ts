/** Wraps a read so that each argument is read once, shared by all who ask meanwhile; failures are forgotten. */
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
