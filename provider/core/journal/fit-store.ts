import { z } from "zod";
import { type Clock, JournalError } from "../ports.ts";
import { remember } from "../values/remember.ts";
import { PROBE_VERSION, probeStore } from "./probe-store.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";

const fitnessSchema = z.object({
  version: z.literal(1),
  /** The newest probe that the store has passed; 0 for none. */
  probe: z.number(),
  /** Under which names. What was copied from another store says nothing of this one. */
  places: z.array(z.string()),
});

const fitnessFormat = jsonFormat(fitnessSchema, {
  version: 1,
  probe: 0,
  places: [],
});

/**
 * Makes sure that a store keeps its promises, before money moves. The first run that buys with it probes it, and notes in
 * the store that it is fit, so that later runs read one document.
 *
 * Throws `JournalError` if the store is not fit.
 */
export function createFitnessCheck(
  store: TimedStore,
  clock: Clock,
  probeId: string,
): () => Promise<void> {
  const record = openRecord(store, "fitness.json", fitnessFormat);
  return remember(async () => {
    const { place } = store.documents;
    const { probe: passed, places } = await record.read();
    if (passed >= PROBE_VERSION && places.includes(place)) return;
    const { findings } = await probeStore(store.documents, clock, {
      id: probeId,
      rounds: ROUNDS,
    });
    const broken = findings.flatMap(({ need, trouble }) =>
      trouble === undefined ? [] : [`${need}: ${trouble}`],
    );
    if (broken.length > 0) {
      const reason = `the journal in ${place} can't be trusted (expected: ${broken.join("; expected: ")}). With it, two runs could buy the same at once`;
      throw new JournalError("unfit", reason);
    }
    await record.update(({ version, probe, places }) => {
      const before = probe < PROBE_VERSION ? [] : places.filter((one) => one !== place);
      return {
        state: { version, probe: PROBE_VERSION, places: [...before, place] },
        result: undefined,
      };
    });
  });
}

/** Fewer than `journal check` plays: a run waits for it. */
const ROUNDS = 3;
