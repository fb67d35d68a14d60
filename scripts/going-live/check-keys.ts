import type { KeysInUse } from '#shared/contracts/operate';
import { LONGEST_TOKEN_MS } from '#worker/deps';
import type { Settings } from '#worker/env';
import { keyIds } from '#worker/security/token-cipher';
import { type Calls, everyAccount } from '../operate/calls.ts';
import { eachOf } from '../operate/each.ts';
import { type Finding, notChecked, ok, wrong } from './finding.ts';

/** A Worker of the version before may still run, and seal and sign with the key that it found in front. */
const SAFE_MS = 24 * 3_600_000;

/** The keys that seal something in any of the databases, summed over them. */
export async function readAllKeys(calls: Calls): Promise<KeysInUse> {
  const found = await eachOf(await everyAccount(calls), calls.keys);
  const sums = new Map<string, number>();
  for (const { key_id, n } of found.flatMap(({ counts }) => counts)) sums.set(key_id, (sums.get(key_id) ?? 0) + n);
  return {
    counts: [...sums].map(([key_id, n]) => ({ key_id, n })),
    retired: found.flatMap(({ retired }) => retired),
  };
}

/**
 * What each key of TOKEN_KEYS and SESSION_KEYS is still needed for, and since when an older one is not. `readKeys` asks
 * the installation and every clinic; `now` in UTC ms.
 */
export async function checkKeys(
  settings: Settings,
  readKeys: () => Promise<KeysInUse>,
  now: number,
): Promise<Finding[]> {
  try {
    const { counts, retired } = await readKeys();
    const since = (ring: string, id: string) =>
      retired.find((row) => row.ring === ring && row.key_id === id)?.unused_since;
    const ring = keyIds(settings.TOKEN_KEYS);
    const sealed = (id: string) => counts.find(({ key_id }) => key_id === id)?.n ?? 0;
    return [
      ...ring.map((id, at) => sealingKey(id, at === 0, sealed(id), since('TOKEN_KEYS', id), now)),
      ...counts.filter(({ key_id }) => !ring.includes(key_id)).map(({ key_id, n }) => lostKey(key_id, n)),
      ...keyIds(settings.SESSION_KEYS).map((id, at) =>
        signingKey(id, at === 0, since('SESSION_KEYS', id), now, Math.max(LONGEST_TOKEN_MS, settings.ACCESS_TOKEN_MS)),
      ),
    ];
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
    return [notChecked('keys in use', `the installation gave no answer: ${why.slice(0, 200)}`)];
  }
}

const values = (n: number) => `${n} ${n === 1 ? 'value' : 'values'}`;
const at = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function sealingKey(id: string, isNewest: boolean, n: number, since: number | undefined, now: number): Finding {
  const what = `key ${id} of TOKEN_KEYS`;
  if (isNewest) return ok(what, `seals what is new, and ${values(n)} that are there`);
  if (n > 0) return ok(what, `still seals ${values(n)}; keep it, the schedule seals them anew`);
  if (since === undefined) return ok(what, 'seals 0 values; keep it until the schedule has noted that, within minutes');
  if (now - since < SAFE_MS) return ok(what, `seals 0 values since ${at(since)}; keep it until ${at(since + SAFE_MS)}`);
  return ok(what, `seals 0 values since ${at(since)}; it may be removed`);
}

const lostKey = (id: string, n: number): Finding =>
  wrong(`key ${id} of TOKEN_KEYS`, `seals ${values(n)} and is not in the ring, so they cannot be opened; put it back`);

function signingKey(id: string, isNewest: boolean, since: number | undefined, now: number, lifeMs: number): Finding {
  const what = `key ${id} of SESSION_KEYS`;
  if (isNewest) return ok(what, 'signs what is new');
  if (since === undefined) return ok(what, 'may still sign; keep it until the schedule has noted that it does not');
  const end = since + SAFE_MS + lifeMs;
  return now < end
    ? ok(what, `signs nothing since ${at(since)}; what it signed lasts until ${at(end)}, then it may be removed`)
    : ok(what, `signs nothing since ${at(since)}, and all that it signed has ended; it may be removed`);
}
