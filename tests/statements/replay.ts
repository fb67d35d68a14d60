import { type Draw, drawCall } from './draw.ts';
import { FIRST_DAY_ROW } from './seed-trail.ts';
import type { Sending, Sent } from './sent.ts';
import type { Store } from './store.ts';
import type { Cost } from './store-worker.ts';

export type Clinics = {
  /** A small clinic alone in its database, and one of the same size beside a big one. */
  alone: Store;
  both: Store;
  small: number;
  big: number;
};

export type Replayed = {
  sent: Sent;
  /** Rows read: for the small clinic alone, for the one beside the big clinic, and for the big clinic. */
  alone: number;
  beside: number;
  big: number;
  /** Rows found or changed in the big clinic. */
  found: number;
  error: string;
};

/**
 * Rows in the middle of a clinic's life, among them one without installments (746); the newest few, which are in a
 * pending state; and one of its first day.
 */
const ROWS = [700, 0, 1, 2, 3, 4, 5, 706, 716, 726, 746, 30, 9, FIRST_DAY_ROW, 700];
const AT_ONCE = 40;

/** The cost of statements for a small and a big clinic, each with values of the clinic's own rows. */
export async function replay({ at, statements }: Sending, clinics: Clinics): Promise<Replayed[]> {
  const all: Replayed[] = [];
  for (let from = 0; from < statements.length; from += AT_ONCE)
    all.push(...(await replaySome(statements.slice(from, from + AT_ONCE), at, clinics)));
  return all;
}

async function replaySome(
  statements: Sent[],
  sentAt: number,
  { alone, both, small, big }: Clinics,
): Promise<Replayed[]> {
  const best = new Map<Sent, { draw: Draw; cost: Cost }>();
  let open = statements;
  for (const [turn, row] of ROWS.entries()) {
    const draws = [false, true].map(
      (isNew): Draw => ({ accountId: big, row, isNew: isNew || turn === ROWS.length - 1 }),
    );
    for (const draw of draws) {
      if (open.length === 0) break;
      const costs = await both.measure(open.map((sent) => drawCall(sent, sentAt, draw)));
      for (const [at, sent] of open.entries()) {
        const cost = costs[at];
        const before = best.get(sent);
        if (cost && (!before || isBetter(cost, before.cost))) best.set(sent, { draw, cost });
      }
      open = open.filter((sent) => {
        const cost = best.get(sent)?.cost;
        if (cost === undefined) return true;
        return cost.error !== '' || (sent.found > 0 && foundBy(cost) === 0);
      });
    }
  }
  const forSmall = statements.map((sent) => {
    const draw = best.get(sent)?.draw;
    if (!draw) throw new Error('a statement was not drawn');
    return drawCall(sent, sentAt, { ...draw, accountId: small });
  });
  const [ofAlone, ofBeside] = [await alone.measure(forSmall), await both.measure(forSmall)];
  return statements.map((sent, at) => {
    const cost = best.get(sent)?.cost;
    const [one, two] = [ofAlone[at], ofBeside[at]];
    if (!cost || !one || !two) throw new Error('a statement was not measured');
    return {
      sent,
      alone: one.rowsRead,
      beside: two.rowsRead,
      big: cost.rowsRead,
      found: foundBy(cost),
      error: cost.error || one.error || two.error,
    };
  });
}

const foundBy = ({ results, rowsWritten }: Cost): number => results + rowsWritten;

const isBetter = (cost: Cost, before: Cost): boolean =>
  before.error !== '' ? cost.error === '' : cost.error === '' && foundBy(before) === 0 && foundBy(cost) > 0;
