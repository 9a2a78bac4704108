/** A number from 0 to 2^32 - 1 that looks random. It depends on the seed, a purpose and a running number only. */
export function scatter(seed: number, purpose: string, index: number): number {
  let state = mix(seed, index);
  for (const character of purpose) state = mix(state, character.charCodeAt(0));
  return state;
}

/** Murmur3's finaliser over two numbers. The result is not secret, only scattered, and the same everywhere. */
export function mix(state: number, value: number): number {
  let hash = Math.imul(state ^ Math.imul(value + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
