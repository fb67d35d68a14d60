import type { Bindings } from '#worker/deps';
import { fromWire, headersOf, toWire } from './remote-database.ts';

/** Paths at which a test run's Worker calls clinic objects, or fires or holds their alarms; see worker-entry.ts. */
export const CLINICS_PATH = '/api/test-entry/clinics';
export const RING_PATH = '/api/test-entry/ring';
export const HOLD_PATH = '/api/test-entry/hold';

const METHODS = ['ask', 'migrate', 'found', 'wake', 'erase'] as const;
/** A call of a clinic's object, by the clinic's number. */
export type ClinicCall = { clinic: string; call: (typeof METHODS)[number]; args: unknown[] };
export type ClinicReply = { value: unknown } | { error: string };
type ProductAccess = { appUrl: string; secret: string };

/** Restores bytes that were sent as text; no other value of a call has a `bytes` field. */
export const withBuffers = <T>(call: T): T =>
  JSON.parse(JSON.stringify(call), (_key, value: unknown) => {
    const isBytes = typeof value === 'object' && value !== null && 'bytes' in value && typeof value.bytes === 'string';
    return isBytes ? (fromWire(value as { bytes: string }) as Uint8Array).buffer : value;
  }) as T;

async function post({ appUrl, secret }: ProductAccess, path: string, body: unknown = {}): Promise<unknown> {
  const response = await fetch(`${appUrl}${path}`, {
    method: 'POST',
    headers: headersOf(secret),
    body: JSON.stringify(body, (_key, value: unknown) => (value instanceof ArrayBuffer ? toWire(value) : value)),
  });
  if (!response.ok) throw new Error(`no access to the clinics: ${response.status} ${await response.text()}`);
  const reply = (await response.json()) as ClinicReply;
  if ('error' in reply) throw new Error(reply.error);
  return reply.value;
}

/** Access to a running product's clinics: the product's Worker calls their objects. */
export const remoteClinics = (product: ProductAccess): Bindings['CLINICS'] =>
  ({
    getByName: (clinic: string) =>
      Object.fromEntries(
        METHODS.map((call) => [call, (...args: unknown[]) => post(product, CLINICS_PATH, { clinic, call, args })]),
      ),
  }) as unknown as Bindings['CLINICS'];

/** Fires all clinics' alarms and waits until they are handled. */
export const ringClinics = async (product: ProductAccess): Promise<void> => void (await post(product, RING_PATH));

/** Runs the work while alarms are held. Alarms under way finish before it, and due alarms fire after it. */
export async function withClocksHeld<T>(product: ProductAccess, work: () => Promise<T>): Promise<T> {
  await post(product, HOLD_PATH, { isHeld: true });
  try {
    return await work();
  } finally {
    await post(product, HOLD_PATH, { isHeld: false });
  }
}
