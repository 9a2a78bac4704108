import type { Dispatcher } from "undici";

/**
 * Asks a question once more when the connection stands, in the same turn of the event loop in which the first byte is
 * written. Looking up the name and the TLS handshake may take so long that the answer has changed. If it throws,
 * nothing is written. Not guaranteed: a process that is stopped between the question and the operating system's write
 * still sends when it goes on.
 */
export function askBeforeFirstByte(ask: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        try {
          ask();
        } catch (refusal) {
          controller.abort(refusal instanceof Error ? refusal : new Error(String(refusal)));
          return;
        }
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (...told) => handler.onResponseStart?.(...told),
      onResponseData: (...told) => handler.onResponseData?.(...told),
      onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
      onResponseError: (...told) => handler.onResponseError?.(...told),
    });
}
