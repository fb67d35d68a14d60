import * as z from 'zod/mini';
import { INSTALLATION_COUNT_BY_KEY } from '#worker/data/keys/sealed-values';
import type { Settings } from '#worker/env';
import { LONGEST_TOKEN_MS } from '#worker/security/signed-tokens';
import { keyIds } from '#worker/security/token-cipher';
import { type Finding, notChecked, ok, wrong } from './finding.ts';
import type { Ask } from './remote-database.ts';

const Counts = z.array(z.object({ key_id: z.string(), n: z.number() }));
/** Each clinic reports to the directory the keys that it needs in addition to the newest. */
const CLINICS_BY_KEY = `SELECT e.value AS key_id, count(*) AS n
FROM clinics c, json_each('["' || replace(c.older_keys, ' ', '","') || '"]') e
WHERE c.erased_at IS NULL AND c.older_keys <> '' GROUP BY e.value`;
const Retired = z.array(z.object({ ring: z.string(), key_id: z.string(), unused_since: z.number() }));

/** A Worker of the previous version may still run, and seal and sign with the key that was newest for it. */
const SAFE_MS = 24 * 3_600_000;

/**
 * Reports the remaining use of each key of TOKEN_KEYS, SESSION_KEYS and CAPABILITY_KEYS, and the time since which an
 * older key is unused. Reads the installation's database; `now` in UTC ms.
 */
export async function checkKeys(settings: Settings, ask: Ask, now: number): Promise<Finding[]> {
  try {
    const counts = Counts.parse(await ask(INSTALLATION_COUNT_BY_KEY));
    const clinics = Counts.parse(await ask(CLINICS_BY_KEY));
    const retired = Retired.parse(await ask('SELECT ring, key_id, unused_since FROM retired_keys'));
    const since = (ring: string, id: string) =>
      retired.find((row) => row.ring === ring && row.key_id === id)?.unused_since;
    const ring = keyIds(settings.TOKEN_KEYS);
    const sealed = (id: string): Sealed => ({
      own: counts.find(({ key_id }) => key_id === id)?.n ?? 0,
      clinics: clinics.find(({ key_id }) => key_id === id)?.n ?? 0,
    });
    return [
      ...ring.map((id, at) => sealingKey(id, at === 0, sealed(id), since('TOKEN_KEYS', id), now)),
      ...[...new Set([...counts, ...clinics].map(({ key_id }) => key_id))]
        .filter((id) => !ring.includes(id))
        .map((id) => lostKey(id, sealed(id))),
      ...keyIds(settings.SESSION_KEYS).map((id, at) =>
        signingKey(id, at === 0, since('SESSION_KEYS', id), now, Math.max(LONGEST_TOKEN_MS, settings.ACCESS_TOKEN_MS)),
      ),
      ...keyIds(settings.CAPABILITY_KEYS).map((id, at) => namingKey(id, at === 0)),
    ];
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
    return [notChecked('keys in use', `the installation’s database did not answer: ${reason.slice(0, 200)}`)];
  }
}

/** Counts of the installation's values that a key seals, and of the clinics that still need it. */
type Sealed = { own: number; clinics: number };

const values = (n: number) => `${n} ${n === 1 ? 'value' : 'values'}`;
const usesOf = ({ own, clinics }: Sealed) =>
  `${values(own)} of the installation and some of ${clinics} ${clinics === 1 ? 'clinic' : 'clinics'}`;
const utc = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function sealingKey(id: string, isNewest: boolean, sealed: Sealed, since: number | undefined, now: number): Finding {
  const key = `key ${id} of TOKEN_KEYS`;
  if (isNewest) return ok(key, 'seals new values');
  const { own, clinics } = sealed;
  if (own + clinics > 0) return ok(key, `still seals ${usesOf(sealed)}; keep it until the schedule has resealed them`);
  if (since === undefined) return ok(key, 'seals 0 values; keep it until the schedule has recorded it, within minutes');
  if (now - since < SAFE_MS) return ok(key, `seals 0 values since ${utc(since)}; keep it to ${utc(since + SAFE_MS)}`);
  return ok(key, `seals 0 values since ${utc(since)}; it may be removed`);
}

const lostKey = (id: string, sealed: Sealed): Finding =>
  wrong(
    `key ${id} of TOKEN_KEYS`,
    `seals ${usesOf(sealed)} and is not in the ring, so they cannot be opened; put it back`,
  );

/** Receipts have no fixed end of life, so an older key has none either: docs/storage.md has their minimum lifetime. */
const namingKey = (id: string, isNewest: boolean): Finding =>
  ok(
    `key ${id} of CAPABILITY_KEYS`,
    isNewest ? 'signs new values' : 'signed receipts and pay links that name their clinic; keep it as long as receipts',
  );

function signingKey(id: string, isNewest: boolean, since: number | undefined, now: number, lifeMs: number): Finding {
  const key = `key ${id} of SESSION_KEYS`;
  if (isNewest) return ok(key, 'signs new values');
  if (since === undefined) return ok(key, 'may still sign; keep it until the schedule has recorded that it does not');
  const end = since + SAFE_MS + lifeMs;
  return now < end
    ? ok(key, `signs nothing since ${utc(since)}; what it signed lasts until ${utc(end)}, then it may be removed`)
    : ok(key, `signs nothing since ${utc(since)}, and everything that it signed has expired; it may be removed`);
}
