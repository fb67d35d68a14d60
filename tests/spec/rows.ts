/** One literal that the specification fixes, and helpers to write such rows. */
export type Row = {
  id: string;
  kind: 'text' | 'fact' | 'route' | 'field' | 'constant';
  /**
   * As in the specification: for a field its path in the answer, for a route method and path, for a constant the
   * quantity.
   */
  exact: string;
  stands: Place;
  reachedBy: Reached;
};

export type Place =
  /** The text of a page as the server sends it. */
  | {
      page:
        | '/'
        | '/terms'
        | '/privacy'
        | '/cookie-policy'
        | '/nowhere'
        | '/demo'
        | '/blog/nowhere'
        | '/pages/nowhere'
        | 'open invoice'
        | 'unknown invoice';
    }
  /** The built page of payers, which holds its words, or the scripts of the merchants' app. */
  | { client: 'pay' | 'app' }
  /** A limit, a pause or an answer that needs a fault; the named test triggers it. */
  | { shownBy: 'its test' }
  /** A width at which the built pages change. */
  | { styles: 'built' }
  | {
      answer:
        | 'invoice'
        | 'preview'
        | 'batches'
        | 'transactions'
        | 'approved'
        | 'declined'
        | 'refused'
        | 'unauthorized'
        | 'login'
        | 'me'
        | 'posts'
        | 'pages'
        | 'media';
    }
  /** The status that the call answers with. */
  | { status: number };

/** Test file and the test's name in it; `…` stands for values that a table fills in. */
export type Reached = readonly [file: string, name: string];

export type Line = readonly [exact: string, reachedBy: Reached];

/** Rows of one kind in one place. Their ids count up in this order. */
export const rows = (prefix: string, kind: Row['kind'], stands: Place, lines: readonly Line[]): Row[] =>
  lines.map(([exact, reachedBy], at) => ({ id: `${prefix}-${at + 1}`, kind, exact, stands, reachedBy }));

export const route = (prefix: string, status: number, reachedBy: Reached, exact: readonly string[]): Row[] =>
  rows(
    prefix,
    'route',
    { status },
    exact.map((path) => [path, reachedBy] as const),
  );
