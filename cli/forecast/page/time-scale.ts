/** Where moments stand on an axis from the beginning of a forecast to its end. */
export interface TimeScale {
  /** "12.5%": figures are as wide as the window, so places are shares of it. */
  place(at: string): string;
  /** Some moments to label, evenly apart, and where they stand. */
  ticks: { day: string; place: string; anchor: "start" | "middle" | "end" }[];
}

/** As many labels as a narrow telephone has room for. */
const TICKS = 3;

/** Makes the axis of a forecast. */
export function createTimeScale({ from, until }: { from: string; until: string }): TimeScale {
  const fromMs = Date.parse(from);
  const lengthMs = Date.parse(until) - fromMs;
  const toPlace = (share: number) => `${(share * 100).toFixed(2)}%`;
  return {
    place: (at) => toPlace(Math.min(1, Math.max(0, (Date.parse(at) - fromMs) / lengthMs))),
    ticks: Array.from({ length: TICKS }, (_, index) => {
      const share = index / (TICKS - 1);
      return {
        day: new Date(fromMs + share * lengthMs).toISOString().slice(0, "2026-12-01".length),
        place: toPlace(share),
        anchor: share === 0 ? "start" : share === 1 ? "end" : "middle",
      };
    }),
  };
}
