import type { OpenedBody } from '#shared/contracts/opened-request';
import { openedApi } from '#shared/paths';

/** In sight for so long (ms), a page is being read. */
const READ_MS = 10_000;
const INPUTS = ['pointerdown', 'keydown'] as const;

/**
 * Tells once that somebody looks at this page: at their first input, or when it has been in sight for a while. A program
 * that follows the links of a mail does neither.
 */
export function tellOpened(payId: string): () => void {
  let left = READ_MS;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    for (const kind of INPUTS) removeEventListener(kind, onInput, true);
    document.removeEventListener('visibilitychange', onSight);
  };
  const tell = () => {
    stop();
    const body: OpenedBody = { load: crypto.randomUUID() };
    void fetch(openedApi(payId), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      keepalive: true,
    }).catch(() => undefined);
  };
  const onInput = (event: Event) => {
    if (event.isTrusted) tell();
  };
  const onSight = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      since = Date.now();
      timer = setTimeout(tell, left);
    } else if (since > 0) {
      left -= Date.now() - since;
    }
  };
  for (const kind of INPUTS) addEventListener(kind, onInput, true);
  document.addEventListener('visibilitychange', onSight);
  onSight();
  return stop;
}
