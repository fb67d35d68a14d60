import type { Fault } from './faults.ts';
import type { Books } from './gateway-records.ts';
import type { ReaderAct } from './truth.ts';

export type ReaderPlan = { act: ReaderAct | 'timed-out'; afterMs: number };

export type Readers = ReturnType<typeof createReaders>;

/** G16, G17: card readers on counters. The cardholder's act is drawn, or was planned, when a sale arrives. */
export function createReaders(books: Books) {
  const offline = new Set<string>();
  const busyUntil = new Map<string, number>();
  const plannedActs: { terminalId: string; act: ReaderAct; afterMs: number | null }[] = [];

  function drawAct(): ReaderAct {
    const weights = books.knobs.readerActs;
    let remaining = books.world.random() * (weights.tap + weights.decline + weights.cancel + weights.none);
    for (const act of ['tap', 'decline', 'cancel'] as const) {
      remaining -= weights[act];
      if (remaining < 0) return act;
    }
    return 'none';
  }

  function planFor(fault: Fault | null, terminalId: string): ReaderPlan {
    const index = plannedActs.findIndex((planned) => planned.terminalId === terminalId);
    const plannedAct = index < 0 ? null : plannedActs.splice(index, 1)[0];
    const afterMs = plannedAct?.afterMs ?? books.draw(books.knobs.readerMs);
    if (fault === 'reader-cancelled') return { act: 'cancel', afterMs };
    if (fault === 'reader-timed-out') return { act: 'none', afterMs };
    if (fault === 'reader-slow') return { act: 'tap', afterMs: books.draw([60_000, books.knobs.readerWaitsMs]) };
    return { act: plannedAct?.act ?? drawAct(), afterMs };
  }

  return {
    plan(terminalId: string, act: ReaderAct, afterMs: number | null): void {
      plannedActs.push({ terminalId, act, afterMs });
    },

    set(terminalId: string, state: 'online' | 'offline'): void {
      if (state === 'offline') offline.add(terminalId);
      else offline.delete(terminalId);
    },

    isOffline: (terminalId: string) => offline.has(terminalId),

    /** The planned act at the reader, or the reason why it is unavailable. A reader takes one sale at a time. */
    wake(terminalId: string, fault: Fault | null): ReaderPlan | 'offline' | 'busy' {
      if (fault === 'reader-offline' || offline.has(terminalId)) return 'offline';
      if (fault === 'reader-busy' || (busyUntil.get(terminalId) ?? 0) > books.world.now()) return 'busy';
      const plan = planFor(fault, terminalId);
      const maxWaitMs = books.knobs.readerWaitsMs;
      const actualPlan: ReaderPlan =
        plan.act === 'none' || plan.afterMs > maxWaitMs ? { act: 'timed-out', afterMs: maxWaitMs } : plan;
      busyUntil.set(terminalId, books.world.now() + actualPlan.afterMs);
      return actualPlan;
    },
  };
}
