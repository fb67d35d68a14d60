import type { VendorWorld } from './vendor.ts';

/** How long a vendor misbehaves: its next calls of the kind, or all of them until `ms` have passed. */
export type FaultSpan = { calls: number } | { ms: number };

export type Faults<Kind extends string, Fault extends string> = {
  /** Replaces a fault that is still active for calls of this kind. */
  set(kind: Kind, fault: Fault, span: FaultSpan): void;
  /** The fault that meets this call, or null. */
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
      const met = active.get(kind);
      if (!met) return null;
      met.calls -= 1;
      const isOver = met.calls < 0 || now() >= met.until;
      if (isOver || met.calls === 0) active.delete(kind);
      return isOver ? null : met.fault;
    },
    clear: () => active.clear(),
  };
}
