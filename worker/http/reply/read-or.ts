import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';

/** What is read from the database, or what is said where it does not answer; the cause is for the log only. */
export async function readOr(
  { log }: Deps,
  read: () => Promise<Response>,
  failed: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await read();
  } catch (cause) {
    log.alert('content-not-read', { cause: causeOf(cause) });
    return failed();
  }
}
