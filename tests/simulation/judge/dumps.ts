import { gunzipSync } from 'node:zlib';
import { CLINIC } from '../world/setting.ts';
import type { World } from '../world/world.ts';

type Row = Record<string, string | number | null>;
type Manifest = { clinic: number; acts: number; ledgerCents: number };

const MANIFEST = 'manifest.json';
const BOOKED = ['approved', 'voided', 'refunded'];

/** T: a dump in which nothing was done meanwhile is one moment: what it has of each payment is what it has in the ledger. */
export function tornDumps({ backups }: World): string[] {
  const texts = [...backups].filter(([key]) => key.endsWith(MANIFEST));
  return texts.flatMap(([key, { value }]) => {
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
    const booked = new Map<string, number>();
    for (const { attempt_id, amount_cents } of rowsOf('ledger'))
      booked.set(String(attempt_id), (booked.get(String(attempt_id)) ?? 0) + Number(amount_cents));
    const sum = [...booked.values()].reduce((all, cents) => all + cents, 0);
    const torn = rowsOf('payment_attempts').filter(({ id, state, amount_cents, refunded_cents }) => {
      const kept = Number(amount_cents) - Number(refunded_cents);
      return BOOKED.includes(String(state)) && (booked.get(String(id)) ?? 0) !== kept;
    });
    return [
      ...torn.map(({ id }) => `T: ${folder} has a payment and a ledger that disagree about ${id}`),
      ...(sum === ledgerCents ? [] : [`T: ${folder} says ${ledgerCents} cents, and its ledger comes to ${sum}`]),
    ];
  });
}
