import { useCallback, useEffect, useState } from 'react';
import { Done, OperatorMe, PasskeyOptions } from '#shared/contracts/operators/operator';
import { ask, sendJson } from '../ui/api/api-client.ts';
import { type Answer, type Reader, readWith } from '../ui/api/parse-response.ts';
import { readNothing } from '../ui/api/read-nothing.ts';
import { usePoll } from '../ui/api/use-poll.ts';
import { makePasskey, showPasskey } from '../ui/passkey/passkey.ts';

const browserFetch = (path: string, init: RequestInit) => fetch(path, init);
const post = <T>(path: string, body: object, read: Reader<T>): Promise<Answer<T>> =>
  ask({ fetch: browserFetch }, path, read, sendJson('POST', body));

const readMe = readWith(OperatorMe);
const readOptions = readWith(PasskeyOptions);
export const readDone = readWith(Done);
/** The message in the reply to an action. */
export const toldBy = ({ done }: Done) => done;

let onSignedOut: () => void = () => undefined;
/** Sets the handler for an expired session. Returns a function that removes it. */
export function whenSignedOut(leave: () => void): () => void {
  onSignedOut = leave;
  return () => {
    onSignedOut = () => undefined;
  };
}

/** A call of an operator; the browser sends the session's cookie along. */
export async function call<T>(path: string, read: Reader<T>, init: RequestInit = {}): Promise<Answer<T>> {
  const answer = await ask({ fetch: browserFetch }, `/api/operator/${path}`, read, init);
  if (!answer.ok && answer.error.status === 401) onSignedOut();
  return answer;
}

/** The signed-in operator; null if there is none. */
export async function whoAmI(): Promise<Answer<OperatorMe | null>> {
  const answer = await ask({ fetch: browserFetch }, '/api/operator/me', readMe, {});
  return !answer.ok && answer.error.status === 401 ? { ok: true, value: null } : answer;
}

/** Requests a passkey signature from the browser and sends it. */
async function show(path: 'session' | 'proof'): Promise<Answer<true>> {
  const asked = await post(`/api/operator/${path}/options`, {}, readOptions);
  if (!asked.ok) return asked;
  const shown = await showPasskey(asked.value.options);
  return shown.ok ? post(`/api/operator/${path}`, { credential: shown.value }, readNothing) : shown;
}

export const signIn = (): Promise<Answer<true>> => show('session');

/** Creates a passkey and, with the code, an operator account for it. */
export async function enrol(code: string, name: string): Promise<Answer<OperatorMe>> {
  const asked = await post('/api/operator/enrolment/options', { code, name }, readOptions);
  if (!asked.ok) return asked;
  const made = await makePasskey(asked.value.options);
  return made.ok ? post('/api/operator/enrolment', { code, name, credential: made.value }, readMe) : made;
}

/**
 * A call that changes something. If the last passkey proof is too old, the browser requests a new one and the call is
 * repeated.
 */
export async function act<T>(path: string, read: Reader<T>, init: RequestInit): Promise<Answer<T>> {
  const answer = await call(path, read, init);
  if (answer.ok || answer.error.code !== 'proof-needed') return answer;
  const proof = await show('proof');
  return proof.ok ? call(path, read, init) : proof;
}

export async function signOut(): Promise<void> {
  await ask({ fetch: browserFetch }, '/api/operator/session', readNothing, { method: 'DELETE' });
  onSignedOut();
}

export type Look<T> = {
  /** The last value; it is kept when a poll fails. */
  seen: T | null;
  failure: string;
  isLooking: boolean;
  again(): Promise<void>;
};

/** Loads `path`, and again every `everyMs` while the page is visible. `everyMs` null: only once. */
export function usePolledView<T>(path: string, read: Reader<T>, everyMs: number | null): Look<T> {
  const [state, setState] = useState<{ path: string; seen: T | null; failure: string }>({
    path,
    seen: null,
    failure: '',
  });
  const [isLooking, setLooking] = useState(true);
  const look = useCallback(async (): Promise<Answer<T>> => {
    setLooking(true);
    const answer = await call(path, read);
    setLooking(false);
    setState((before) => {
      if (answer.ok) return { path, seen: answer.value, failure: '' };
      return { path, seen: before.path === path ? before.seen : null, failure: answer.error.message };
    });
    return answer;
  }, [path, read]);
  useEffect(() => {
    void look();
  }, [look]);
  usePoll(async () => (await look()).ok, everyMs);
  const again = useCallback(async () => void (await look()), [look]);
  return { seen: state.seen, failure: state.failure, isLooking, again };
}
