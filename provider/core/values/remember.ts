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

/** Works something out once for each object, for as long as that is in use. The object must not change. */
export function rememberOf<Key extends object, Value>(
  workOut: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: workOut(key) };
    known.set(key, found);
    return found.value;
  };
}
