import type { VendorWorld } from './vendor.ts';

/** How long a vendor misbehaves: its next calls of the kind, or all of them until `ms` have passed. */
export type FaultSpan = { calls: number } | { ms: number };

export type Faults<Kind extends string, Fault extends string> = {
  /** Replaces a fault that is still active for calls of this kind. */
  set(kind: Kind, fault: Fault, span: FaultSpan): void;
  /** Returns the fault for this call and uses it up; null if there is none. */
  take(kind: Kind): Fault | null;
  clear(): void;
};

/** Faults of a vendor, one at a time for each kind of call. */
export function createFaults<Kind extends string, Fault extends string>({ now }: VendorWorld): Faults<Kind, Fault> {
  const active = new Map<Kind, { fault: Fault; calls: number; until: number }>();
  return {
    set(kind, fault, span) {
      const isCounted = 'calls' in span;
      active.set(kind, {
        fault,
        calls: isCounted ? span.calls : Number.POSITIVE_INFINITY,
        until: isCounted ? Number.POSITIVE_INFINITY : now() + span.ms,
      });
    },
    take(kind) {
      const entry = active.get(kind);
      if (!entry) return null;
      entry.calls -= 1;
      const isExpired = entry.calls < 0 || now() >= entry.until;
      if (isExpired || entry.calls === 0) active.delete(kind);
      return isExpired ? null : entry.fault;
    },
    clear: () => active.clear(),
  };
}
