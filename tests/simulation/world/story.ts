/** A line of the timeline: time (UTC ms), actor and event. */
export type Line = { at: number; actor: string; event: string };

/** A message shown to a person about a payment attempt or an invoice. */
export type ShownMessage = {
  at: number;
  recipient: string;
  invoiceId: string;
  claim: 'paid' | 'submitted' | 'open' | 'not-charged' | 'nothing';
  /** The attempt, by the hash of its card token or by its id. Null: the message is about the invoice. */
  subject: { tokenHash: string } | { attemptId: string } | null;
  wording: string;
  /** The request that this message answers and its time; null for a message on a page or a screen. */
  request: { name: string; at: number } | null;
};

/** A page that stays open after its request, until it shows the result or gives up. */
export type Page = { request: string; invoiceId: string; until: number };

/** A period (UTC ms) without readable responses of the gateway, or in which the product did not run. */
export type Outage = { kind: string; from: number; until: number };

export type Feature = { name: string; invoiceId: string | null };

export type Story = ReturnType<typeof createStory>;

/** Records the events of a run, for the printed timeline and for the coverage table. */
export function createStory(now: () => number, isTraced: boolean) {
  const lines: Line[] = [];
  const messages: ShownMessage[] = [];
  const faults: { fault: string; at: number }[] = [];
  const pages: Page[] = [];
  const outages: Outage[] = [];
  const features: Feature[] = [];
  let pagesStayOpen = false;
  const alerts = new Map<string, number>();
  /** Ends the outages of one kind, or of all kinds. */
  function endOutages(kind?: string) {
    for (const outage of outages)
      if (kind === undefined || outage.kind === kind) outage.until = Math.min(outage.until, now());
  }

  return {
    lines,
    messages,
    /** Every fault so far. */
    faults,
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
    startOutage(kind: string, until: number) {
      endOutages(kind);
      outages.push({ kind, from: now(), until });
    },
    endOutages,
    alert(actor: string, event: string, fields: Record<string, unknown> = {}) {
      alerts.set(event, (alerts.get(event) ?? 0) + 1);
      if (isTraced) lines.push({ at: now(), actor, event: `ALERT ${event} ${JSON.stringify(fields)}` });
    },
    note(actor: string, event: string) {
      if (isTraced) lines.push({ at: now(), actor, event });
    },
    /** Records a message shown to a person. */
    show(message: Omit<ShownMessage, 'at'>) {
      messages.push({ at: now(), ...message });
      if (isTraced) lines.push({ at: now(), actor: message.recipient, event: `is told: ${message.wording}` });
    },
  };
}
