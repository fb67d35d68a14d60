import type { DayClinic, DayWorld } from './world.ts';

/**
 * An edit in the CRM. `until`: the end of the trouble that it met before its copy was owed (UTC ms), null where CRM and
 * grant were well; `isWell`: they were so at the moment of the edit.
 */
type Edit = {
  n: number;
  at: number;
  cents: number;
  isLooked: boolean;
  isWell: boolean;
  until: number | null;
  seenAt: number | null;
};

/** Within this (ms) an edit is to be in the clinic's books: while staff look, and otherwise. */
export const OWED_MS = { looked: 2 * 60_000, idle: 12 * 60_000 };

/** Measures from an edit in the CRM to the clinic's own record of it. */
export function freshnessOf({ engine }: DayWorld) {
  const all: Edit[] = [];
  const pending = new Map<number, Edit[]>();
  return {
    edited(clinic: DayClinic, edit: Pick<Edit, 'n' | 'cents' | 'isLooked' | 'isWell' | 'until'>): void {
      const made = { ...edit, at: engine.now(), seenAt: null };
      all.push(made);
      pending.set(clinic.at, [...(pending.get(clinic.at) ?? []), made]);
    },
    /** Which edits of a clinic are in its books by now. */
    look(clinic: DayClinic): void {
      const own = pending.get(clinic.at);
      if (!own) return;
      const left = own.filter((edit) => {
        const id = clinic.crm.idOf('invoices', edit.n);
        const [row] = clinic.object.read<{ cents: number }>(
          'SELECT balance_cents AS cents FROM invoices WHERE account_id = ? AND invoice_id = ?',
          clinic.accountId,
          id,
        );
        if (row?.cents !== edit.cents) return true;
        edit.seenAt = engine.now();
        return false;
      });
      if (left.length > 0) pending.set(clinic.at, left);
      else pending.delete(clinic.at);
    },
    waiting: () => [...pending.values()].reduce((sum, own) => sum + own.length, 0),
    /** In ms, sorted; an edit that was never seen counts as for ever. */
    found() {
      const age = ({ at, until, seenAt }: Edit) =>
        Math.max(0, (seenAt ?? Number.POSITIVE_INFINITY) - Math.max(at, until ?? 0));
      const of = (some: Edit[]) => some.map(age).sort((a, b) => a - b);
      const well = all.filter(({ until }) => until === null);
      return {
        idle: of(well.filter(({ isLooked }) => !isLooked)),
        looked: of(well.filter(({ isLooked }) => isLooked)),
        /** After the end of the trouble that they met. */
        others: of(all.filter(({ until }) => until !== null)),
        /** By the letter: trouble that began a moment after the edit counts in full. */
        wellAtTheEdit: of(all.filter(({ isWell }) => isWell).map((edit) => ({ ...edit, until: null }))),
      };
    },
  };
}

export const quantile = (sorted: number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
