/** No more than about four refreshes a second … */
const shortestPauseMs = 250;
/** … and no more than a third of the time, however much there is to fetch. */
const pausePerWork = 2;
const sparingPausePerWork = 9;
const tryAgainMs = 1000;

/**
 * Keeps the page up to date: refreshes it for each change that the control API tells, but not while nobody sees it.
 * @param {object} on
 * @param {() => void} on.reach the simulator answers, for the first time or again; it may be another one
 * @param {() => Promise<void>} on.refresh
 * @param {() => void} on.lose the simulator does not answer
 */
export function follow({ reach, refresh, lose }) {
  let isDue = false;
  let isBusy = false;

  async function catchUp() {
    if (isBusy) return;
    isBusy = true;
    while (isDue && !document.hidden) {
      isDue = false;
      const beganMs = performance.now();
      await refresh();
      const tookMs = performance.now() - beganMs;
      await wait(Math.max(shortestPauseMs, pausePerWork * tookMs));
    }
    isBusy = false;
  }

  function refreshSoon() {
    isDue = true;
    catchUp();
  }

  function connect() {
    const events = new EventSource("/events");
    events.addEventListener("open", reach);
    events.addEventListener("change", refreshSoon);
    events.addEventListener("error", () => {
      // The browser would try again too, but at its own moments, and not after every kind of failure.
      events.close();
      lose();
      setTimeout(connect, tryAgainMs);
    });
  }

  document.addEventListener("visibilitychange", catchUp);
  connect();
  return refreshSoon;
}

/**
 * Work that is skipped while it would take more than a tenth of the time. For work that goes through all IPs of all
 * accounts.
 * @param {() => Promise<void>} work
 */
export function doSparingly(work) {
  let nextMs = 0;
  return async () => {
    const beganMs = performance.now();
    if (beganMs < nextMs) return;
    await work();
    const endedMs = performance.now();
    nextMs = endedMs + sparingPausePerWork * (endedMs - beganMs);
  };
}

/** @param {number} ms */
function wait(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
