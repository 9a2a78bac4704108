import type { SpendingOptions } from "../../../provider/client/index.ts";
import type { AccountDocument } from "../../../provider/core/journal/account-document.ts";
import type { Clock, ProxyService } from "../../../provider/core/ports.ts";

/** Who may send, as the journal says it, and what its clock said then. */
export interface Standing {
  account: AccountDocument;
  at: Date;
}

/** One process that may spend. */
export interface Sender {
  runId(): string;
  /** Is told of each call that leaves. */
  departed(): void;
  /** Whether it was killed. Then nobody waits for an answer any more. */
  isDead(): boolean;
  /** Lets time pass. */
  wait(ms: number): Promise<void>;
  standing(): Promise<Standing>;
}

/** A spending call that has left. */
interface Flight {
  what: string;
  sender: Sender;
  /** From when on nobody waits for its answer. */
  overMs: number;
  /**
   * `away`: its sender has not heard of it. `putOff`: its answer was lost, and the service carries it out later. `over`:
   * nothing comes of it any more.
   */
  is: "away" | "putOff" | "over";
}

/** What is watched, and how. */
interface FlightParts {
  clock: Pick<Clock, "elapsedMs">;
  /** Whether other machines share the journal. Then nobody can see that a process was killed. */
  isShared: boolean;
  timeoutMs: number;
  settlingMs: number;
  /** Whether the service is still to carry out a call that it has put off. */
  isPutOff(): boolean;
  blame(wrong: string): void;
}

/** The spending calls of one account. */
export interface Flights {
  /** Stands around the call itself: it sees when the call leaves. */
  leaving(sender: Sender, real: ProxyService): ProxyService;
  /** Stands around everything: it sees when the process hears the answer. */
  arriving(sender: Sender, real: ProxyService): ProxyService;
}

/** The store may tell whole seconds only. */
const ROUNDING_MS = 1_000;

/**
 * Looks at each spending call in the moment in which it leaves, from whatever machine. No other one of the account may be
 * in flight then, and the journal must say that this process is sending, for long enough.
 */
export function watchFlights({
  clock,
  isShared,
  timeoutMs,
  settlingMs,
  isPutOff,
  blame,
}: FlightParts): Flights {
  const flights: Flight[] = [];

  function isInFlight({ is, overMs, sender }: Flight): boolean {
    // On this machine a process that was killed is known to be gone.
    if (is === "over" || (!isShared && sender.isDead())) return false;
    if (is === "putOff") return clock.elapsedMs() < overMs + settlingMs && isPutOff();
    return clock.elapsedMs() < overMs;
  }

  /** @param lastsMs for how long its answer may be awaited. */
  function judge(
    what: string,
    { runId }: Sender,
    { account, at }: Standing,
    lastsMs: number,
  ): void {
    for (const other of flights.filter(isInFlight)) {
      blame(`${what} was sent while ${other.what} was in flight on the same account`);
    }
    const { turn, underWay } = account;
    const isWritten = underWay.some(({ id, phase }) => id === turn?.intent && phase === "sending");
    if (turn?.runId !== runId() || turn.phase !== "sending" || !isWritten) {
      blame(`${what} was sent, and the journal does not say that its process is sending it`);
    } else if (Date.parse(turn.until) - at.getTime() + ROUNDING_MS < lastsMs + settlingMs) {
      blame(`${what} was sent after its deadline`);
    }
  }

  /** Makes a call, and looks when it asks for the last time. */
  async function follow<Answer>(
    what: string,
    sender: Sender,
    { beforeSend }: SpendingOptions,
    send: (options: SpendingOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const standing = await sender.standing();
    const isOtherPutOff = isPutOff();
    let flight: Flight | undefined;
    const depart = () => {
      const lastsMs = beforeSend?.() ?? timeoutMs;
      judge(what, sender, standing, lastsMs);
      flight = { what, sender, overMs: clock.elapsedMs() + lastsMs, is: "away" };
      flights.push(flight);
      sender.departed();
      return lastsMs;
    };
    try {
      return await send({ beforeSend: depart });
    } catch (error) {
      if (flight !== undefined) flight.is = !isOtherPutOff && isPutOff() ? "putOff" : "over";
      throw error;
    }
  }

  /** A process has one call under way at most. For the answer to one that was put off it waits as long as it may. */
  async function heard<Answer>(sender: Sender, answer: Promise<Answer>): Promise<Answer> {
    const sentBy = () => flights.filter((flight) => flight.sender === sender);
    const before = sentBy().length;
    try {
      const told = await answer;
      for (const flight of sentBy()) flight.is = "over";
      return told;
    } catch (error) {
      const [sent] = sentBy().slice(before);
      if (sent?.is === "putOff") await sender.wait(Math.max(0, sent.overMs - clock.elapsedMs()));
      throw error;
    }
  }

  return {
    leaving: (sender, real) => ({
      ...real,
      createOrder: (request, options = {}) =>
        follow(`an order for ${request.goal}`, sender, options, (own) =>
          real.createOrder(request, own),
        ),
      extend: (request, options = {}) =>
        follow(`an extension of ${request.ipAddressIds}`, sender, options, (own) =>
          real.extend(request, own),
        ),
    }),

    arriving: (sender, real) => ({
      ...real,
      createOrder: (...args) => heard(sender, real.createOrder(...args)),
      extend: (...args) => heard(sender, real.extend(...args)),
    }),
  };
}
