/** The connection between a D1 binding and its database, which every statement passes. */

export type D1Query = { sql: string; params: unknown[] };
export type D1Answer = { meta?: { rows_read?: number; rows_written?: number }; results?: { rows?: unknown[][] } };

export type Listener = {
  /** Called before the statements of a call run, which wait for it. Its errors become the call's. */
  ask?(queries: D1Query[]): void | Promise<void>;
  answer?(answers: D1Answer[]): void;
};

type Line = { fetcher: { fetch(url: string, init: { body: string }): Promise<Response> } };

function lineOf(d1: object): Line {
  if ('fetcher' in d1) return d1 as Line;
  throw new Error('the D1 binding has changed in this version: find where it sends its statements');
}

const asList = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Listens to all calls through this object. */
function listenOn(line: Line, { ask, answer }: Listener): void {
  const { fetcher } = line;
  line.fetcher = {
    fetch: async (url, init) => {
      await ask?.(asList(JSON.parse(init.body) as D1Query | D1Query[]));
      const response = await fetcher.fetch(url, init);
      if (!answer) return response;
      const text = await response.text();
      answer(asList(JSON.parse(text) as D1Answer | D1Answer[]));
      return new Response(text, response);
    },
  };
}

/** Returns a new binding of the same database, with a listener. */
export function openWithListener(d1: D1Database, listener: Listener): D1Database {
  const session = d1.withSession('first-primary');
  listenOn(lineOf(session), listener);
  return session as D1DatabaseSession & D1Database;
}

const boundWithListener = new WeakSet<D1Database>();

/** Adds a listener to a binding and its sessions, once. */
export function addListener(d1: D1Database, listener: Listener): void {
  if (boundWithListener.has(d1)) return;
  boundWithListener.add(d1);
  listenOn(lineOf((d1 as D1Database & { alwaysPrimarySession: object }).alwaysPrimarySession), listener);
  listenOn(lineOf(d1), listener);
}
