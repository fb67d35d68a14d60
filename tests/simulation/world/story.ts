/** A line of the timeline: time (UTC ms), actor and event. */
export type Line = { at: number; who: string; what: string };

/** A message shown to a person about a payment attempt or an invoice. */
export type Told = {
  at: number;
  who: string;
  invoiceId: string;
  said: 'paid' | 'submitted' | 'open' | 'not-charged' | 'nothing';
  /** The attempt, by the hash of its card token or by its id. Null: the message is about the invoice. */
  of: { tokenHash: string } | { attemptId: string } | null;
  word: string;
  /** The request that this message answers and its time; null for a message on a page or a screen. */
  request: { name: string; at: number } | null;
};

/** A page that stays open after its request, until it shows the result or gives up. */
export type Page = { request: string; invoiceId: string; until: number };

/** A period (UTC ms) without readable responses of the gateway, or in which the product did not run. */
export type Outage = { what: string; from: number; until: number };

export type Feature = { name: string; invoiceId: string | null };

export type Story = ReturnType<typeof createStory>;

/** Records the events of a run, for the printed timeline and for the coverage table. */
export function createStory(now: () => number, isKept: boolean) {
  const lines: Line[] = [];
  const told: Told[] = [];
  const met: { fault: string; at: number }[] = [];
  const pages: Page[] = [];
  const outages: Outage[] = [];
  const features: Feature[] = [];
  let pagesStayOpen = false;
  const alerts = new Map<string, number>();
  /** Ends the outages of one kind, or of all kinds. */
  function endOutages(what?: string) {
    for (const outage of outages)
      if (what === undefined || outage.what === what) outage.until = Math.min(outage.until, now());
  }

  return {
    lines,
    told,
    /** Every fault so far. */
    met,
    pages,
    outages,
    alerts,
    features,
    /** Counts a payment feature as reached, for one invoice or (null) for all. */
    feature: (name: string, invoiceId: string | null) => void features.push({ name, invoiceId }),
    pagesStayOpen: () => pagesStayOpen,
    keepPagesOpen() {
      pagesStayOpen = true;
    },
    /** Starts an outage; it replaces an earlier one of its kind. */
    isOut(what: string, until: number) {
      endOutages(what);
      outages.push({ what, from: now(), until });
    },
    endOutages,
    alert(who: string, event: string, fields: Record<string, unknown> = {}) {
      alerts.set(event, (alerts.get(event) ?? 0) + 1);
      if (isKept) lines.push({ at: now(), who, what: `ALERT ${event} ${JSON.stringify(fields)}` });
    },
    note(who: string, what: string) {
      if (isKept) lines.push({ at: now(), who, what });
    },
    tell(word: Omit<Told, 'at'>) {
      told.push({ at: now(), ...word });
      if (isKept) lines.push({ at: now(), who: word.who, what: `is told: ${word.word}` });
    },
  };
}
