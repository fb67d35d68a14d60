import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ArticleKind } from '../../../../shared/contracts/content.ts';
import { sendJson } from '../../ui/calls.ts';
import { readDraft } from '../answers.ts';
import { call } from '../api.ts';
import { dropLocal, keepLocal } from './local-draft.ts';

export type DraftText = { title: string; content: string; slug: string; baseVersion: number };
export type Kept = { kind: 'nothing' } | { kind: 'kept'; at: Date } | { kind: 'only-here'; message: string };

const PAUSE_MS = 1000;

/**
 * Keeps what is typed, a second after it was typed: at the server, as a draft that nobody else sees, or in this browser while
 * the server cannot be reached.
 */
export function useDraft(kind: ArticleKind, id: string, read: () => DraftText) {
  const [kept, setKept] = useState<Kept>({ kind: 'nothing' });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<unknown>>(Promise.resolve());
  const isDirty = useRef(false);
  const path = `/api/cms/${kind}s/${id}/draft`;

  const send = async (init: RequestInit = {}) => {
    if (!isDirty.current) return;
    isDirty.current = false;
    const text = read();
    const answer = await call(path, readDraft, { ...sendJson('PUT', text), ...init });
    if (answer.ok) {
      dropLocal(kind, id);
      setKept({ kind: 'kept', at: new Date() });
      return;
    }
    keepLocal(kind, id, text);
    setKept({ kind: 'only-here', message: answer.fault.message });
    // Refused for what it is, it would be refused again; the next change is the next try.
    if (answer.fault.status === 0 || answer.fault.status >= 500) {
      isDirty.current = true;
      plan(5 * PAUSE_MS);
    }
  };
  /** One after the other: an older text never overtakes a newer one. */
  const flush = (init?: RequestInit): Promise<unknown> => {
    clearTimeout(timer.current);
    timer.current = undefined;
    running.current = running.current.then(() => send(init));
    return running.current;
  };
  const onPause = useEffectEvent(() => void flush());
  const plan = (afterMs: number) => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      onPause();
    }, afterMs);
  };
  const onLeave = useEffectEvent(() => {
    if (isDirty.current) void flush({ keepalive: true });
  });

  useEffect(() => {
    const leave = () => onLeave();
    const onHidden = () => document.hidden && onLeave();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', onHidden);
      clearTimeout(timer.current);
    };
  }, []);

  return {
    kept,
    /** Something was typed. */
    touch: () => {
      isDirty.current = true;
      plan(PAUSE_MS);
    },
    flush,
    /** It is saved, or given up: nothing of it is sent any more. */
    settle: async () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      isDirty.current = false;
      await running.current;
    },
    forget: () => {
      dropLocal(kind, id);
      setKept({ kind: 'nothing' });
    },
  };
}
