/**
 * Loaded ahead of the command that is measured, and silent until it is asked what the process uses. Memory is told after a
 * collection, if the process may collect: what is held, and not what is left lying about.
 */
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ rssBytes: rss, heapBytes: heapUsed, cpuMs: (user + system) / 1000 });
});

// The command ends when it has nothing to do, as it would without this.
process.channel?.unref();
