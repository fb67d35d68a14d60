/** A row of the table of what the specification fixes, and how rows are written. */
export type Row = {
  id: string;
  kind: 'text' | 'fact' | 'route' | 'field' | 'constant';
  /**
   * As the specification writes it; for a field the way to it in the answer, for a route method and path, for a constant the
   * quantity.
   */
  exact: string;
  stands: Place;
  reachedBy: Reached;
};

export type Place =
  /** The words of a page as it leaves the server. */
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
  /** The built scripts of the pay page or of the merchants' app. */
  | { client: 'pay' | 'app' }
  /** A limit, a pause or an answer that needs a fault: the test that the row names makes it happen. */
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

/** Test file and the name of the test in it; `…` stands for what a table fills in. */
export type Reached = readonly [file: string, name: string];

export type Line = readonly [exact: string, reachedBy: Reached];

/** Rows of one kind that stand in one place; their ids count up in the order that they have here. */
export const rows = (prefix: string, kind: Row['kind'], stands: Place, lines: readonly Line[]): Row[] =>
  lines.map(([exact, reachedBy], at) => ({ id: `${prefix}-${at + 1}`, kind, exact, stands, reachedBy }));

export const route = (prefix: string, status: number, reachedBy: Reached, exact: readonly string[]): Row[] =>
  rows(
    prefix,
    'route',
    { status },
    exact.map((path) => [path, reachedBy] as const),
  );
