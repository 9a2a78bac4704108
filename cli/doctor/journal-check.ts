import type { Intent } from "../../provider/core/records/intent.ts";
import { messageOf } from "../../provider/core/values/message-of.ts";
import { probeLocation } from "../journal/check.ts";
import { LOOK_ELSEWHERE, readIntents } from "../journal/journals.ts";
import type { JournalPlace } from "../settings.ts";
import { countOf, type Found } from "./findings.ts";

/** How often writers are set against each other: enough to find a store that ignores conditions. */
const ROUNDS = 3;

/** Tries whether the journal's store is fit, and reads what it has. */
export async function lookAtJournal(
  access: JournalPlace,
): Promise<{ intents: readonly Intent[]; found: Found[] }> {
  const about = "journal";
  const { place } = access;
  const check = `Run \`npx pulumi-proxyrental journal check\`, and correct PROXYRENTAL_JOURNAL or PROXYRENTAL_JOURNAL_DIR.`;
  try {
    const { isFit, findings } = await probeLocation(access.location, ROUNDS);
    if (!isFit) {
      const troubles = findings.flatMap(({ need, trouble }) =>
        trouble === undefined ? [] : [`${need}: ${trouble}`],
      );
      return {
        intents: [],
        found: [
          {
            about,
            mark: "wrong",
            text: `${place} can't keep a journal (${troubles.join("; ")}): with it, two runs could buy the same at once.`,
            todo: check,
          },
        ],
      };
    }
    const intents = await readIntents(access);
    const elsewhere = intents.length === 0 ? ` ${LOOK_ELSEWHERE}.` : "";
    const text = `${place} can keep a journal, and has ${countOf(intents.length, "purchase")} of this service.${elsewhere}`;
    return { intents, found: [{ about, mark: "well", text }, ...judgeDoubts(intents)] };
  } catch (error) {
    return {
      intents: [],
      found: [{ about, mark: "wrong", text: `${messageOf(error)}.`, todo: check }],
    };
  }
}

function judgeDoubts(intents: readonly Intent[]): Found[] {
  const unknown = intents.filter(({ phase }) => phase === "unknown").length;
  if (unknown === 0) return [];
  return [
    {
      about: "purchases",
      mark: "look",
      text: `Nobody knows of ${countOf(unknown, "purchase")} in the journal whether it was placed.`,
      todo: "npx pulumi-proxyrental journal list",
    },
  ];
}
