/** The connection between a D1 binding and its database, which every statement passes. */

export type D1Question = { sql: string; params: unknown[] };
export type D1Answer = { meta?: { rows_read?: number; rows_written?: number }; results?: { rows?: unknown[][] } };

export type Listener = {
  /** Before the statements of one call are carried out, which wait for it; what it throws, the call throws. */
  ask?(questions: D1Question[]): void | Promise<void>;
  answer?(answers: D1Answer[]): void;
};

type Line = { fetcher: { fetch(url: string, init: { body: string }): Promise<Response> } };

function lineOf(d1: object): Line {
  if ('fetcher' in d1) return d1 as Line;
  throw new Error('D1 is built otherwise in this version: find where its statements leave it');
}

const listed = <T>(one: T | T[]): T[] => (Array.isArray(one) ? one : [one]);

/** Listens to all calls through this object. */
function listenOn(line: Line, { ask, answer }: Listener): void {
  const { fetcher } = line;
  line.fetcher = {
    fetch: async (url, init) => {
      await ask?.(listed(JSON.parse(init.body) as D1Question | D1Question[]));
      const response = await fetcher.fetch(url, init);
      if (!answer) return response;
      const text = await response.text();
      answer(listed(JSON.parse(text) as D1Answer | D1Answer[]));
      return new Response(text, response);
    },
  };
}

/** The same database behind a new binding with a listener. */
export function heardD1(d1: D1Database, listener: Listener): D1Database {
  const own = d1.withSession('first-primary');
  listenOn(lineOf(own), listener);
  return own as D1DatabaseSession & D1Database;
}

const heard = new WeakSet<D1Database>();

/** Adds a listener to a binding and its sessions, once. */
export function hearD1(d1: D1Database, listener: Listener): void {
  if (heard.has(d1)) return;
  heard.add(d1);
  listenOn(lineOf((d1 as D1Database & { alwaysPrimarySession: object }).alwaysPrimarySession), listener);
  listenOn(lineOf(d1), listener);
}
