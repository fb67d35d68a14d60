/**
 * One JSON line per event for the operator. Each call chooses its fields explicitly: never a body, a token, a signature
 * or a card number.
 */
export type LogFields = Record<string, string | number | boolean | null>;
export type Log = {
  info(event: string, fields?: LogFields): void;
  /**
   * For events with money or a broken promise on which a person must act; each has a row in
   * worker/domain/alerts/register.ts.
   */
  alert(event: string, fields?: LogFields): void;
};

/** A logged alert that is not in the table of alerts yet. `at`: UTC ms. */
export type Raised = { event: string; fields: LogFields; at: number };
/** More than these only accumulate if the database does not respond. */
const MOST_RAISED = 500;

export const consoleLog: Log = {
  info: (event, fields = {}) => console.log(JSON.stringify({ level: 'info', event, ...fields })),
  alert: (event, fields = {}) => console.warn(JSON.stringify({ level: 'alert', event, ...fields })),
};

/** A log that also collects its alerts in `raised`; worker/domain/alerts/keep.ts stores them after the response. */
export const keeping = (log: Log, raised: Raised[], now: () => number): Log => ({
  info: log.info,
  alert: (event, fields = {}) => {
    log.alert(event, fields);
    if (raised.length < MOST_RAISED) raised.push({ event, fields, at: now() });
  },
});

const MOST = 200;

/**
 * The cause in one line, followed by its own causes: for a database error, only they give the reason. Without stack,
 * values, paths or anything that could be a token.
 */
export function causeOf(cause: unknown, depth = 3): string {
  const text = (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause))
    .replace(/\n?params:.*/s, '')
    .replace(/\s+/g, ' ');
  const own = (text.includes('Failed query:') ? text : text.replace(/"[^"]*"?/g, '"…"'))
    .replace(/\bfor value .*|(?<!\w)'[^']*'?/g, '…')
    .replace(/(\w:\/\/[^\s/?#]*)\S*/g, '$1')
    .replace(/(?=[\w.-]*\d)[\w.-]{20,}/g, '…')
    .slice(0, MOST);
  const why = depth > 0 && cause instanceof Error && cause.cause ? causeOf(cause.cause, depth - 1) : '';
  return why ? `${own} < ${why}` : own;
}
