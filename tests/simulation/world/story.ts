/** A line of the time line: when (UTC ms), who, and what. */
export type Line = { at: number; who: string; what: string };

/** What a person was told about a try to pay, or about an invoice. */
export type Told = {
  at: number;
  who: string;
  invoiceId: string;
  said: 'paid' | 'submitted' | 'open' | 'not-charged' | 'nothing';
  /** The try: hash of its card token, or the id of its attempt. Null: the word is about the invoice. */
  of: { tokenHash: string } | { attemptId: string } | null;
  word: string;
  /** The request that this word answers, and when it was made; null for a word that a page or a screen shows. */
  request: { name: string; at: number } | null;
};

/** A page that stays open after its request, until it hears the word or gives up. */
export type Page = { request: string; invoiceId: string; until: number };

/** A time (UTC ms) in which the gateway gave no answer that could be read, or nothing of ours ran. */
export type Outage = { what: string; from: number; until: number };

export type Feature = { name: string; invoiceId: string | null };

export type Story = ReturnType<typeof createStory>;

/** What has happened so far, as a person would want to read it, and what a run's table counts. */
export function createStory(now: () => number, isKept: boolean) {
  const lines: Line[] = [];
  const told: Told[] = [];
  const met: { fault: string; at: number }[] = [];
  const pages: Page[] = [];
  const outages: Outage[] = [];
  const features: Feature[] = [];
  let pagesStayOpen = false;
  const alerts = new Map<string, number>();
  /** Of one kind, or of all kinds. */
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
    /** A feature of money came about, of one invoice or (null) of all. */
    feature: (name: string, invoiceId: string | null) => void features.push({ name, invoiceId }),
    pagesStayOpen: () => pagesStayOpen,
    keepPagesOpen() {
      pagesStayOpen = true;
    },
    /** A second one of its kind takes the place of the first. */
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
