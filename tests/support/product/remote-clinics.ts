import type { Bindings } from '#worker/deps';
import { fromWire, headersOf, toWire } from './remote-database.ts';

/** Where a test run's Worker reaches the clinics' objects, and rings or holds their clocks; see worker-entry.ts. */
export const CLINICS_PATH = '/api/test-entry/clinics';
export const RING_PATH = '/api/test-entry/ring';
export const HOLD_PATH = '/api/test-entry/hold';

const CALLED = ['ask', 'migrate', 'found', 'wake', 'erase'] as const;
/** A call of a clinic's object, by the clinic's number. */
export type ClinicCall = { clinic: string; call: (typeof CALLED)[number]; args: unknown[] };
export type ClinicReply = { value: unknown } | { error: string };
type Reached = { appUrl: string; secret: string };

/** Bytes that are to be bound come as text; nothing else in a call has such a field. */
export const withBuffers = <T>(call: T): T =>
  JSON.parse(JSON.stringify(call), (_key, value: unknown) => {
    const isBytes = typeof value === 'object' && value !== null && 'bytes' in value && typeof value.bytes === 'string';
    return isBytes ? (fromWire(value as { bytes: string }) as Uint8Array).buffer : value;
  }) as T;

async function post({ appUrl, secret }: Reached, path: string, body: unknown = {}): Promise<unknown> {
  const response = await fetch(`${appUrl}${path}`, {
    method: 'POST',
    headers: headersOf(secret),
    body: JSON.stringify(body, (_key, value: unknown) => (value instanceof ArrayBuffer ? toWire(value) : value)),
  });
  if (!response.ok) throw new Error(`the product lends no clinics: ${response.status} ${await response.text()}`);
  const reply = (await response.json()) as ClinicReply;
  if ('error' in reply) throw new Error(reply.error);
  return reply.value;
}

/** A running product's clinics from outside: the product's Worker calls their objects. */
export const remoteClinics = (product: Reached): Bindings['CLINICS'] =>
  ({
    getByName: (clinic: string) =>
      Object.fromEntries(
        CALLED.map((call) => [call, (...args: unknown[]) => post(product, CLINICS_PATH, { clinic, call, args })]),
      ),
  }) as unknown as Bindings['CLINICS'];

/** Rings all clinics' clocks. Their turns are over when this returns. */
export const ringClinics = async (product: Reached): Promise<void> => void (await post(product, RING_PATH));

/** Do this while no clinic's clock rings by itself. Turns that had begun are over before; those that were due follow. */
export async function withClocksHeld<T>(product: Reached, work: () => Promise<T>): Promise<T> {
  await post(product, HOLD_PATH, { isHeld: true });
  try {
    return await work();
  } finally {
    await post(product, HOLD_PATH, { isHeld: false });
  }
}
