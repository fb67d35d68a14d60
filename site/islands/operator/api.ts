import { useCallback, useEffect, useState } from 'react';
import { Done, OperatorMe, PasskeyOptions } from '#shared/contracts/operators/operator';
import { sendJson, sendRequest } from '../ui/api/api-client.ts';
import { type Answer, type Reader, readWith } from '../ui/api/parse-response.ts';
import { readEmptyBody } from '../ui/api/read-nothing.ts';
import { usePoll } from '../ui/api/use-poll.ts';
import { createPasskey, requestPasskey } from '../ui/passkey/passkey.ts';

const browserFetch = (path: string, init: RequestInit) => fetch(path, init);
const post = <T>(path: string, body: object, read: Reader<T>): Promise<Answer<T>> =>
  sendRequest({ fetch: browserFetch }, path, read, sendJson('POST', body));

const readMe = readWith(OperatorMe);
const readOptions = readWith(PasskeyOptions);
export const readDone = readWith(Done);
/** The message in the reply to an action. */
export const doneMessage = ({ done }: Done) => done;

let onSignedOut: () => void = () => undefined;
/** Sets the handler for an expired session. Returns a function that removes it. */
export function setSignedOutHandler(handler: () => void): () => void {
  onSignedOut = handler;
  return () => {
    onSignedOut = () => undefined;
  };
}

/** Calls the operator API; the browser adds the session cookie. */
export async function call<T>(path: string, read: Reader<T>, init: RequestInit = {}): Promise<Answer<T>> {
  const answer = await sendRequest({ fetch: browserFetch }, `/api/operator/${path}`, read, init);
  if (!answer.ok && answer.error.status === 401) onSignedOut();
  return answer;
}

/** The signed-in operator; null if there is none. */
export async function fetchCurrentOperator(): Promise<Answer<OperatorMe | null>> {
  const answer = await sendRequest({ fetch: browserFetch }, '/api/operator/me', readMe, {});
  return !answer.ok && answer.error.status === 401 ? { ok: true, value: null } : answer;
}

/** Requests a passkey signature from the browser and sends it. */
async function provePasskey(path: 'session' | 'proof'): Promise<Answer<true>> {
  const options = await post(`/api/operator/${path}/options`, {}, readOptions);
  if (!options.ok) return options;
  const credential = await requestPasskey(options.value.options);
  return credential.ok ? post(`/api/operator/${path}`, { credential: credential.value }, readEmptyBody) : credential;
}

export const signIn = (): Promise<Answer<true>> => provePasskey('session');

/** Creates a passkey and, with the code, an operator account for it. */
export async function enroll(code: string, name: string): Promise<Answer<OperatorMe>> {
  const options = await post('/api/operator/enrolment/options', { code, name }, readOptions);
  if (!options.ok) return options;
  const credential = await createPasskey(options.value.options);
  return credential.ok
    ? post('/api/operator/enrolment', { code, name, credential: credential.value }, readMe)
    : credential;
}

/**
 * A call that changes something. If the last passkey proof is too old, the browser asks for a new one and the call is
 * repeated.
 */
export async function sendAction<T>(path: string, read: Reader<T>, init: RequestInit): Promise<Answer<T>> {
  const answer = await call(path, read, init);
  if (answer.ok || answer.error.code !== 'proof-needed') return answer;
  const proof = await provePasskey('proof');
  return proof.ok ? call(path, read, init) : proof;
}

export async function signOut(): Promise<void> {
  await sendRequest({ fetch: browserFetch }, '/api/operator/session', readEmptyBody, { method: 'DELETE' });
  onSignedOut();
}

export type PolledView<T> = {
  /** The last reply, also after a failed poll. */
  data: T | null;
  failure: string;
  isLoading: boolean;
  refresh(): Promise<void>;
};

/** Loads `path`, and reloads it every `intervalMs` while the page is visible; null loads it only once. */
export function usePolledView<T>(path: string, read: Reader<T>, intervalMs: number | null): PolledView<T> {
  const [state, setState] = useState<{ path: string; data: T | null; failure: string }>({
    path,
    data: null,
    failure: '',
  });
  const [isLoading, setLoading] = useState(true);
  const load = useCallback(async (): Promise<Answer<T>> => {
    setLoading(true);
    const answer = await call(path, read);
    setLoading(false);
    setState((previous) => {
      if (answer.ok) return { path, data: answer.value, failure: '' };
      return { path, data: previous.path === path ? previous.data : null, failure: answer.error.message };
    });
    return answer;
  }, [path, read]);
  useEffect(() => {
    void load();
  }, [load]);
  usePoll(async () => (await load()).ok, intervalMs);
  const refresh = useCallback(async () => void (await load()), [load]);
  return { data: state.data, failure: state.failure, isLoading, refresh };
}
