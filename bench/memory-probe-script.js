/**
 * Node loads this file before the command that is measured. It does nothing until it is asked what the process uses.
 * If the process can collect garbage, it does so first: the answer is the memory that is really held.
 *
 * It is JavaScript, because what Node needs to read TypeScript would be measured too: 18 MB.
 */
process.on("message", () => {
  // In kilobytes, on all systems.
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({
    ...{ rssBytes: rss, peakBytes, heapBytes: heapUsed },
    cpuMs: (user + system) / 1000,
  });
});

// Without this line the channel would keep the command from ending.
process.channel?.unref();
