import { gunzipSync } from 'node:zlib';
import { CLINIC } from '../world/setting.ts';
import type { World } from '../world/world.ts';

type Row = Record<string, string | number | null>;
type Manifest = { clinic: number; acts: number; ledgerCents: number };

const MANIFEST = 'manifest.json';
const BOOKED_STATES = ['approved', 'voided', 'refunded'];

/** T: a dump made without concurrent changes is consistent: its payments agree with its ledger. */
export function tornDumps({ backups }: World): string[] {
  const manifests = [...backups].filter(([key]) => key.endsWith(MANIFEST));
  return manifests.flatMap(([key, { value }]) => {
    const { clinic, acts, ledgerCents } = JSON.parse(String(value)) as Manifest;
    if (clinic !== CLINIC || acts > 0) return [];
    const folder = key.slice(0, -MANIFEST.length);
    const rowsOf = (table: string) =>
      [...backups]
        .filter(([name]) => name.startsWith(`${folder}${table}-`))
        .flatMap(([, file]) =>
          gunzipSync(Buffer.from(file.value as ArrayBuffer))
            .toString()
            .trim()
            .split('\n'),
        )
        .map((line) => (JSON.parse(line) as { row: Row }).row);
    const bookedCents = new Map<string, number>();
    for (const { attempt_id, amount_cents } of rowsOf('ledger'))
      bookedCents.set(String(attempt_id), (bookedCents.get(String(attempt_id)) ?? 0) + Number(amount_cents));
    const sum = [...bookedCents.values()].reduce((total, cents) => total + cents, 0);
    const inconsistent = rowsOf('payment_attempts').filter(({ id, state, amount_cents, refunded_cents }) => {
      const keptCents = Number(amount_cents) - Number(refunded_cents);
      return BOOKED_STATES.includes(String(state)) && (bookedCents.get(String(id)) ?? 0) !== keptCents;
    });
    return [
      ...inconsistent.map(({ id }) => `T: payment and ledger in ${folder} disagree about ${id}`),
      ...(sum === ledgerCents ? [] : [`T: ${folder} states ${ledgerCents} cents, and its ledger sums to ${sum}`]),
    ];
  });
}
