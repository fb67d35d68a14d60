import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Draft } from '#shared/contracts/content/content';
import type { DraftBody } from '#shared/contracts/content/content-request';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { call, readDraft } from '../api.ts';
import { acquireLock, dropLocal, storeDraft, type TabPlace, tabKeyOf } from './local-draft.ts';

export type DraftText = Omit<Draft, 'savedAt'>;
export type DraftState = { kind: 'nothing' } | { kind: 'kept'; at: Date } | { kind: 'only-here'; message: string };

const PAUSE_MS = 1000;

/**
 * Saves typed text after a pause of a second: in this browser first, then on the server as the writer's own draft. This
 * way, no text is lost if the server is slow or down, or if another tab overwrites the single draft on the server.
 * `receivedAt`: when the server received the shown text; null if it did not.
 */
export function useDraft(place: TabPlace, receivedAt: string | null, readText: () => DraftText) {
  const [state, setState] = useState<DraftState>({ kind: 'nothing' });
  const timer = useRef<{ at: number; handle: ReturnType<typeof setTimeout> } | null>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const isDirty = useRef(false);
  // Read while the editor still exists, so that the text can be sent after the writer has left the screen.
  const unsent = useRef<DraftText | null>(null);
  const sending = useRef<DraftText | null>(null);
  const sentAt = useRef(receivedAt);
  const hasLeft = useRef(false);
  const name = tabKeyOf(place);
  const path = `/api/cms/${place.kind}s/${place.id}/draft`;

  const store = (text: DraftText) => storeDraft(name, { ...text, sending: sending.current, sentAt: sentAt.current });
  const send = async (init: RequestInit = {}) => {
    const text = unsent.current;
    if (!text) return;
    unsent.current = null;
    sending.current = text;
    const answer = await call(path, readDraft, { ...sendJson<DraftBody>('PUT', text), ...init });
    sending.current = null;
    if (answer.ok) {
      sentAt.current = answer.value.savedAt;
      // Newer text that was stored meanwhile takes precedence.
      if (!unsent.current && !isDirty.current) store(text);
      setState({ kind: 'kept', at: new Date() });
      return;
    }
    setState({ kind: 'only-here', message: answer.error.message });
    // A refusal would repeat, so do not retry it; the next change will be sent.
    if (answer.error.status === 0 || answer.error.status >= 500) {
      unsent.current ??= text;
      if (!hasLeft.current) scheduleSend(5 * PAUSE_MS);
    }
  };
  const cancelTimer = () => {
    clearTimeout(timer.current?.handle);
    timer.current = null;
  };
  const storeLocally = () => {
    if (!isDirty.current) return;
    isDirty.current = false;
    unsent.current = readText();
    store(unsent.current);
  };
  /** Sends one text at a time, so that an older text never overtakes a newer one. */
  const flush = (init?: RequestInit): Promise<unknown> => {
    cancelTimer();
    storeLocally();
    queue.current = queue.current.then(() => send(init));
    return queue.current;
  };
  const onPause = useEffectEvent(() => void flush());
  const scheduleSend = (afterMs: number) => {
    const at = Date.now() + afterMs;
    if (timer.current && timer.current.at <= at) return;
    cancelTimer();
    const handle = setTimeout(() => {
      timer.current = null;
      onPause();
    }, afterMs);
    timer.current = { at, handle };
  };
  const onLeave = useEffectEvent((init?: RequestInit) => {
    if (isDirty.current || unsent.current) void flush(init);
  });

  // Other tabs do not take over this draft while it is open here.
  useEffect(() => acquireLock(name), [name]);
  useEffect(() => {
    const leave = () => onLeave({ keepalive: true });
    const onHidden = () => document.hidden && leave();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', onHidden);
    };
  }, []);
  // Send the text when this screen unmounts (a link, the back button); afterwards it can no longer be read.
  useLayoutEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
      onLeave();
    };
  }, []);

  return {
    state,
    /** Records that the text has changed. */
    markChanged: () => {
      isDirty.current = true;
      scheduleSend(PAUSE_MS);
    },
    flush,
    /** Sends the text even if it was sent before, since another tab may have overwritten it. */
    resend: (): Promise<unknown> => {
      unsent.current ??= readText();
      return flush();
    },
    toStoredDraft: () => ({ ...readText(), sending: null, sentAt: sentAt.current }),
    /** Stops sending, before the text is saved or discarded. */
    settle: async () => {
      cancelTimer();
      // Keep the text locally until then, so that a slow save does not lose it.
      storeLocally();
      unsent.current = null;
      await queue.current;
    },
    dropDraft: () => {
      dropLocal(place);
      setState({ kind: 'nothing' });
    },
  };
}
