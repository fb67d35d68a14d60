import type { VendorWorld } from '../vendor.ts';
import type { Knobs, Span } from './knobs.ts';
import type { Author, Batch, Close, Index, InFlight, Merchant, Replay, Terminal, VisibleAt } from './truth.ts';

/** A transaction as the gateway keeps it, of whatever type. */
export type Entry = {
  id: string;
  type: 'SALE' | 'DEBIT' | 'REFUND' | 'VOID';
  method: 'card' | 'terminal' | 'ach';
  isApproved: boolean;
  ach: 'Pending' | 'Settling' | 'Settled' | 'Returned' | 'Cancelled' | 'On Hold' | null;
  /** Of a bank debit: no look-up shows it any more. */
  isUnlisted?: true;
  isVoided: boolean;
  merchantId: string;
  terminalId: string;
  orderId: string | null;
  invoice: string | null;
  askedCents: number;
  amountCents: number;
  refundedCents: number;
  /** The entry that a refund or a void takes back. */
  parentId: string | null;
  copyOf: string | null;
  by: Author;
  batchId: string | null;
  at: number;
  settledAt: number | null;
  returnedAt: number | null;
  /** Of a bank debit: when it came to where it is. */
  changedAt: number;
  returnCode: string | null;
  resultCode: string;
  message: string;
  authorizationCode: string | null;
  lastFour: string;
  billing: Record<string, string> | null;
  /** Of a bank debit: the name on the account, as the call gave it. */
  holder: string | null;
};

/** How an entry stood from some change on, and when each index shows it so. */
type Version = { entry: Entry; visibleAt: VisibleAt };

export type Books = ReturnType<typeof createBooks>;

/** What the gateway remembers, and the world's clock and chance, as its parts use them. */
export function createBooks(world: VendorWorld, knobs: Knobs, merchants: Merchant[]) {
  const versions = new Map<string, Version[]>();
  const entries: Entry[] = [];
  const byId = new Map<string, Entry>();
  let lastId = 100_000_000;

  /** A whole number of the span, ends included. */
  const draw = ([from, to]: Span): number => from + Math.floor(world.random() * (to - from + 1));

  /** An index never shows an older change after a newer one. */
  function visibleFrom(earlier: Version | undefined): VisibleAt {
    const at = (index: Index) => Math.max(world.now() + draw(knobs.lagMs[index]), earlier?.visibleAt[index] ?? 0);
    return { id: at('id'), order: at('order'), invoice: at('invoice'), time: at('time') };
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

    /** A new entry, or one that has changed: indexes show it when their time has come. */
    record(entry: Entry): void {
      const earlier = versions.get(entry.id) ?? [];
      if (earlier.length === 0) {
        entries.push(entry);
        byId.set(entry.id, entry);
      }
      versions.set(entry.id, [...earlier, { entry: { ...entry }, visibleAt: visibleFrom(earlier.at(-1)) }]);
    },

    /** The entry as the indexes show it together at `at`, UTC ms; null where one does not show it yet. */
    seenBy(entry: Entry, indexes: readonly Index[], at: number): Entry | null {
      const shown = versions
        .get(entry.id)
        ?.filter((version) => indexes.every((index) => version.visibleAt[index] <= at));
      return shown?.at(-1)?.entry ?? null;
    },

    visibleAt(id: string): VisibleAt {
      const newest = versions.get(id)?.at(-1);
      if (!newest) throw new Error(`The gateway has no transaction ${id}`);
      return { ...newest.visibleAt };
    },

    /** Who a key belongs to; null for a key that nobody has. */
    byKey(kind: 'api-key' | 'public-key', key: string | null): { merchant: Merchant; terminal: Terminal } | null {
      for (const merchant of merchants) {
        const terminal = merchant.terminals.find((each) => key === (kind === 'api-key' ? each.apiKey : each.publicKey));
        if (terminal) return { merchant, terminal };
      }
      return null;
    },

    terminal(terminalId: string): { merchant: Merchant; terminal: Terminal } {
      for (const merchant of merchants) {
        const terminal = merchant.terminals.find((each) => each.terminalId === terminalId);
        if (terminal) return { merchant, terminal };
      }
      throw new Error(`The gateway has no terminal ${terminalId}`);
    },
  };
}
