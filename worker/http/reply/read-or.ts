import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';

/** Reads from the database; if that fails, logs the cause and sends the `failed` reply. */
export async function readOr(
  { log }: Deps,
  read: () => Promise<Response>,
  failed: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await read();
  } catch (cause) {
    log.info('content-not-read', { cause: causeOf(cause) });
    return failed();
  }
}
