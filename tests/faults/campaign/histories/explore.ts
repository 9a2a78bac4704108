/** Where a history may go on in several ways, it asks here. */
export interface Chooser {
  /** Gives a number from 0 to `options`, without `options`. */
  choose(options: number): number;
}

/**
 * Plays every history, each from its beginning: the first one takes the first option everywhere, and each next one takes
 * the next option at the last place that has one.
 */
export async function* explore<Result>(
  play: (chooser: Chooser) => Promise<Result>,
): AsyncGenerator<Result> {
  let planned: number[] = [];
  for (;;) {
    const made: { taken: number; options: number }[] = [];
    const result = await play({
      choose(options) {
        const taken = planned[made.length] ?? 0;
        made.push({ taken, options });
        return taken;
      },
    });
    yield result;
    const last = made.findLastIndex(({ taken, options }) => taken + 1 < options);
    if (last < 0) return;
    planned = made.slice(0, last + 1).map(({ taken }, at) => (at === last ? taken + 1 : taken));
  }
}
