import pLimit, { type LimitFunction } from "p-limit";

/** Does the work of one key one after the other, in the order in which it was asked for. */
export type QueueByKey = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes the queues of as many keys as are asked for. */
export function queueByKey(): QueueByKey {
  const queues = new Map<string, LimitFunction>();
  return async (key, work) => {
    const queue = queues.get(key) ?? pLimit(1);
    queues.set(key, queue);
    return queue(work).finally(() => {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(key);
    });
  };
}
