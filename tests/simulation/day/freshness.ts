import type { DayClinic, DayWorld } from './world.ts';

/**
 * An edit in the CRM. `until`: end (UTC ms) of trouble before its sync was due, null if CRM and grant were healthy.
 * `isHealthy`: both were healthy at the moment of the edit.
 */
type Edit = {
  n: number;
  at: number;
  cents: number;
  isViewed: boolean;
  isHealthy: boolean;
  until: number | null;
  seenAt: number | null;
};

/** Time (ms) within which an edit must be in the clinic's books, while staff view the list and otherwise. */
export const OWED_MS = { viewed: 2 * 60_000, idle: 12 * 60_000 };

/** Measures the time from an edit in the CRM to the clinic's own record of it. */
export function freshnessOf({ engine }: DayWorld) {
  const all: Edit[] = [];
  const pending = new Map<number, Edit[]>();
  return {
    addEdit(clinic: DayClinic, edit: Pick<Edit, 'n' | 'cents' | 'isViewed' | 'isHealthy' | 'until'>): void {
      const pendingEdit = { ...edit, at: engine.now(), seenAt: null };
      all.push(pendingEdit);
      pending.set(clinic.at, [...(pending.get(clinic.at) ?? []), pendingEdit]);
    },
    /** Marks the edits of a clinic that have reached its books. */
    checkEdits(clinic: DayClinic): void {
      const edits = pending.get(clinic.at);
      if (!edits) return;
      const remaining = edits.filter((edit) => {
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
      if (remaining.length > 0) pending.set(clinic.at, remaining);
      else pending.delete(clinic.at);
    },
    pendingCount: () => [...pending.values()].reduce((sum, edits) => sum + edits.length, 0),
    /** Ages in ms, sorted; an edit that never arrived counts as infinite. */
    ages() {
      const age = ({ at, until, seenAt }: Edit) =>
        Math.max(0, (seenAt ?? Number.POSITIVE_INFINITY) - Math.max(at, until ?? 0));
      const agesOf = (edits: Edit[]) => edits.map(age).sort((a, b) => a - b);
      const undisturbed = all.filter(({ until }) => until === null);
      return {
        idle: agesOf(undisturbed.filter(({ isViewed }) => !isViewed)),
        viewed: agesOf(undisturbed.filter(({ isViewed }) => isViewed)),
        /** Counted from the end of the trouble. */
        afterTrouble: agesOf(all.filter(({ until }) => until !== null)),
        /** The strict measure: trouble that began just after the edit counts in full. */
        healthyAtEdit: agesOf(all.filter(({ isHealthy }) => isHealthy).map((edit) => ({ ...edit, until: null }))),
      };
    },
  };
}

export const quantile = (sorted: number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
