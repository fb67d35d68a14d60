/** One literal that the specification fixes. */
export type Row = {
  id: string;
  kind: 'text' | 'fact' | 'route' | 'field' | 'constant';
  /**
   * The literal as in the specification: the path in the answer for a field, method and path for a route, the quantity
   * for a constant.
   */
  exact: string;
  place: Place;
  test: TestRef;
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
  /** The built page of payers, which contains its texts, or the scripts of the merchants' app. */
  | { client: 'pay' | 'app' }
  /** A limit, a pause or an answer that only the named test can trigger. */
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
  /** The status of the response to the call. */
  | { status: number };

/** A test file and the name of a test in it; `…` stands for a template placeholder. */
export type TestRef = readonly [file: string, name: string];

export type Line = readonly [exact: string, test: TestRef];

/** Makes rows of one kind in one place. Their ids are numbered in this order. */
export const rows = (prefix: string, kind: Row['kind'], place: Place, lines: readonly Line[]): Row[] =>
  lines.map(([exact, test], at) => ({ id: `${prefix}-${at + 1}`, kind, exact, place, test }));

export const route = (prefix: string, status: number, test: TestRef, exact: readonly string[]): Row[] =>
  rows(
    prefix,
    'route',
    { status },
    exact.map((path) => [path, test] as const),
  );
