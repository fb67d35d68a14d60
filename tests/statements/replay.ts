import { type Draw, drawCall } from './draw.ts';
import { FIRST_DAY_ROW } from './seed-trail.ts';
import type { SentStatement, SentStatements } from './sent.ts';
import type { Store } from './store.ts';
import type { Cost } from './store-worker.ts';

export type Clinics = {
  /** `alone` has only a small clinic; `shared` has one of the same size beside a big one. */
  alone: Store;
  shared: Store;
  small: number;
  big: number;
};

export type Replayed = {
  sent: SentStatement;
  /** Rows read: for the small clinic alone, for the one beside the big clinic, and for the big clinic. */
  alone: number;
  beside: number;
  big: number;
  /** Rows found or changed in the big clinic. */
  found: number;
  error: string;
};

/**
 * Rows to try for each statement: from the middle of a clinic's life, among them one without installments (746); the
 * newest few, which are in a pending state; and one of its first day.
 */
const ROWS = [700, 0, 1, 2, 3, 4, 5, 706, 716, 726, 746, 30, 9, FIRST_DAY_ROW, 700];
const AT_ONCE = 40;

/** Measures the statements for a small and a big clinic, each with values of that clinic's own rows. */
export async function replay({ at, statements }: SentStatements, clinics: Clinics): Promise<Replayed[]> {
  const results: Replayed[] = [];
  for (let from = 0; from < statements.length; from += AT_ONCE)
    results.push(...(await replaySome(statements.slice(from, from + AT_ONCE), at, clinics)));
  return results;
}

async function replaySome(
  statements: SentStatement[],
  sentAt: number,
  { alone, shared, small, big }: Clinics,
): Promise<Replayed[]> {
  const best = new Map<SentStatement, { draw: Draw; cost: Cost }>();
  let pending = statements;
  for (const [turn, row] of ROWS.entries()) {
    const draws = [false, true].map(
      (isNew): Draw => ({ accountId: big, row, isNew: isNew || turn === ROWS.length - 1 }),
    );
    for (const draw of draws) {
      if (pending.length === 0) break;
      const costs = await shared.measure(pending.map((statement) => drawCall(statement, sentAt, draw)));
      for (const [at, statement] of pending.entries()) {
        const cost = costs[at];
        const previous = best.get(statement);
        if (cost && (!previous || isBetter(cost, previous.cost))) best.set(statement, { draw, cost });
      }
      pending = pending.filter((statement) => {
        const cost = best.get(statement)?.cost;
        if (cost === undefined) return true;
        return cost.error !== '' || (statement.found > 0 && foundBy(cost) === 0);
      });
    }
  }
  const forSmall = statements.map((statement) => {
    const draw = best.get(statement)?.draw;
    if (!draw) throw new Error('a statement was not drawn');
    return drawCall(statement, sentAt, { ...draw, accountId: small });
  });
  const [costsAlone, costsBeside] = [await alone.measure(forSmall), await shared.measure(forSmall)];
  return statements.map((statement, at) => {
    const cost = best.get(statement)?.cost;
    const [costAlone, costBeside] = [costsAlone[at], costsBeside[at]];
    if (!cost || !costAlone || !costBeside) throw new Error('a statement was not measured');
    return {
      sent: statement,
      alone: costAlone.rowsRead,
      beside: costBeside.rowsRead,
      big: cost.rowsRead,
      found: foundBy(cost),
      error: cost.error || costAlone.error || costBeside.error,
    };
  });
}

const foundBy = ({ results, rowsWritten }: Cost): number => results + rowsWritten;

const isBetter = (cost: Cost, previous: Cost): boolean =>
  previous.error !== '' ? cost.error === '' : cost.error === '' && foundBy(previous) === 0 && foundBy(cost) > 0;
