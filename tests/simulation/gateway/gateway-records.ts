import type { VendorWorld } from '../vendor.ts';
import type { Knobs, Span } from './knobs.ts';
import type { Author, Batch, Close, Index, InFlight, Merchant, Replay, Terminal, VisibleAt } from './truth.ts';

/** A transaction of any type as the gateway stores it. */
export type Entry = {
  id: string;
  type: 'SALE' | 'DEBIT' | 'REFUND' | 'VOID';
  method: 'card' | 'terminal' | 'ach';
  isApproved: boolean;
  ach: 'Pending' | 'Settling' | 'Settled' | 'Returned' | 'Cancelled' | 'On Hold' | null;
  /** Bank debits: look-ups no longer show it. */
  isUnlisted?: true;
  isVoided: boolean;
  merchantId: string;
  terminalId: string;
  orderId: string | null;
  invoice: string | null;
  requestedCents: number;
  amountCents: number;
  refundedCents: number;
  /** The entry that a refund or a void reverses. */
  parentId: string | null;
  copyOf: string | null;
  by: Author;
  batchId: string | null;
  at: number;
  settledAt: number | null;
  returnedAt: number | null;
  /** Bank debits: time of the last change of state. */
  changedAt: number;
  returnCode: string | null;
  resultCode: string;
  message: string;
  authorizationCode: string | null;
  lastFour: string;
  billing: Record<string, string> | null;
  /** Bank debits: the account holder's name from the request. */
  holder: string | null;
};

/** State of an entry after a change, and when each index shows it. */
type Version = { entry: Entry; visibleAt: VisibleAt };

export type Books = ReturnType<typeof createBooks>;

/** The gateway's records, with the clock and randomness that its parts use. */
export function createBooks(world: VendorWorld, knobs: Knobs, merchants: Merchant[]) {
  const versions = new Map<string, Version[]>();
  const entries: Entry[] = [];
  const byId = new Map<string, Entry>();
  let lastId = 100_000_000;

  /** A random integer in the span, both ends included. */
  const draw = ([from, to]: Span): number => from + Math.floor(world.random() * (to - from + 1));

  /** Times from which each index shows a new version; no index shows an older change after a newer one. */
  function visibleFrom(earlier: Version | undefined): VisibleAt {
    const timeFor = (index: Index) => Math.max(world.now() + draw(knobs.lagMs[index]), earlier?.visibleAt[index] ?? 0);
    return { id: timeFor('id'), order: timeFor('order'), invoice: timeFor('invoice'), time: timeFor('time') };
  }

  return {
    world,
    knobs,
    draw,
    merchants,
    entries: entries as readonly Entry[],
    batches: [] as Batch[],
    closes: [] as Close[],
    replays: [] as Replay[],
    inFlight: new Set<InFlight>(),

    nextId: () => String(++lastId),
    nextExchange: () => `ID-clearent-${++lastId}`,
    byId: (id: string): Entry | undefined => byId.get(id),

    /** Stores a new or changed entry; each index shows it after its own lag. */
    record(entry: Entry): void {
      const earlier = versions.get(entry.id) ?? [];
      if (earlier.length === 0) {
        entries.push(entry);
        byId.set(entry.id, entry);
      }
      versions.set(entry.id, [...earlier, { entry: { ...entry }, visibleAt: visibleFrom(earlier.at(-1)) }]);
    },

    /** The newest version that all these indexes show at `at` (UTC ms); null if there is none yet. */
    seenBy(entry: Entry, indexes: readonly Index[], at: number): Entry | null {
      const visibleVersions = versions
        .get(entry.id)
        ?.filter((version) => indexes.every((index) => version.visibleAt[index] <= at));
      return visibleVersions?.at(-1)?.entry ?? null;
    },

    visibleAt(id: string): VisibleAt {
      const newest = versions.get(id)?.at(-1);
      if (!newest) throw new Error(`The gateway has no transaction ${id}`);
      return { ...newest.visibleAt };
    },

    /** Merchant and terminal of a key; null if the key is unknown. */
    byKey(kind: 'api-key' | 'public-key', key: string | null): { merchant: Merchant; terminal: Terminal } | null {
      for (const merchant of merchants) {
        const terminal = merchant.terminals.find(
          ({ apiKey, publicKey }) => key === (kind === 'api-key' ? apiKey : publicKey),
        );
        if (terminal) return { merchant, terminal };
      }
      return null;
    },

    terminal(terminalId: string): { merchant: Merchant; terminal: Terminal } {
      for (const merchant of merchants) {
        const terminal = merchant.terminals.find((candidate) => candidate.terminalId === terminalId);
        if (terminal) return { merchant, terminal };
      }
      throw new Error(`The gateway has no terminal ${terminalId}`);
    },
  };
}
