import type { Preview } from "../records/previewed-plan.ts";

/**
 * Which previews of a stack bind a purchase for an owner. It must fit all of them:
 * - the newest that contained the owner. If that was inside another `pulumi up`, also the newest one that was not: an
 *   `up` that was refused after its preview may forbid a purchase, and can't permit one. If no engine has called it a preview,
 *   also the newest that one has: an update that has only checked may forbid, and can't permit either;
 * - the same of this checkout alone: on one machine, another checkout of the stack may forbid, and does not speak for this one;
 * - the newest preview that did not contain it. What a preview did not contain, it showed as none. Only `pulumi preview`
 *   and the preview inside this very command count for that: of another one, nobody knows how far it came.
 *
 * Of previews that went on at the same time each may be the newest.
 */
export function findBinding(previews: readonly Preview[], owner: string): readonly Preview[] {
  const containing = previews.filter(({ plans }) => plans.has(owner));
  const outside = containing.filter(({ from }) => from !== "anotherUp");
  const permitting = outside.filter(({ isTold }) => isTold);
  const lacking = findLacking(previews, owner).filter(
    ({ lastWrite }) => !permitting.filter(isHere).some(({ firstWrite }) => firstWrite > lastWrite),
  );
  const newest = [containing, outside, permitting].flatMap((some) => [
    ...findNewest(some),
    ...findNewest(some.filter(isHere)),
  ]);
  return [...new Set([...newest, ...lacking])];
}

/** Those that show by their silence that nothing is bought for an owner. */
function findLacking(previews: readonly Preview[], owner: string): readonly Preview[] {
  const inside = previews.filter(({ from }) => from === "thisUp");
  const whole = inside.length > 0 ? inside : previews.filter(({ from }) => from === "preview");
  return [...findNewest(whole), ...findNewest(whole.filter(isHere))].filter(
    ({ plans }) => !plans.has(owner),
  );
}

function isHere(preview: Preview): boolean {
  return preview.isHere;
}

/** The newest of some previews, and those that went on when it began. */
function findNewest(previews: readonly Preview[]): readonly Preview[] {
  const newest = previews.at(-1);
  if (newest === undefined) return [];
  return previews.filter((one) => one === newest || one.lastWrite > newest.firstWrite);
}
