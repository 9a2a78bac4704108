import type { Socket } from "node:net";

const events = ["readable", "end", "close"];

/** Reads exactly as many bytes from a socket as are asked for. The rest stays in the socket. */
export class ExactReader {
  readonly #socket: Socket;
  #moved = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.#socket = socket;
    // It listens all the time: a listener that is added while bytes wait is called for them over and over.
    for (const event of events) socket.on(event, this.#wake);
  }

  /** Rejects if the other side ends before that. */
  async take(count: number): Promise<Buffer> {
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes: Buffer | null = this.#socket.read(count);
      if (bytes?.length === count) return bytes;
      // At the end, `read` gives less than was asked for.
      if (bytes !== null || this.#socket.readableEnded || this.#socket.destroyed) {
        throw new Error("The other side ended in the middle");
      }
      await this.#moved.promise;
    }
  }

  /** Gives the socket to somebody else. It does not flow while it is read here. */
  release(): void {
    for (const event of events) this.#socket.off(event, this.#wake);
  }

  readonly #wake = (): void => {
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  };
}
