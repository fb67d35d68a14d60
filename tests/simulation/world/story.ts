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

export type Story = ReturnType<typeof createStory>;

/** What has happened so far, as a person would want to read it, and what a run's table counts. */
export function createStory(now: () => number, isKept: boolean) {
  const lines: Line[] = [];
  const told: Told[] = [];
  const met: { fault: string; at: number }[] = [];
  const alerts = new Map<string, number>();
  return {
    lines,
    told,
    /** Every fault so far. */
    met,
    alerts,
    note(who: string, what: string) {
      if (isKept) lines.push({ at: now(), who, what });
    },
    tell(word: Omit<Told, 'at'>) {
      told.push({ at: now(), ...word });
      if (isKept) lines.push({ at: now(), who: word.who, what: `is told: ${word.word}` });
    },
  };
}
