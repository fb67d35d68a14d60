/**
 * The fields of an event. The log has one JSON line per event for the operator. Each call chooses its fields
 * explicitly, and never includes a body, a token, a signature or a card number.
 */
export type LogFields = Record<string, string | number | boolean | null>;
export type Log = {
  info(event: string, fields?: LogFields): void;
  /**
   * Logs an event that involves money or a broken commitment and requires a person to act. Each has a row in
   * worker/domain/alerts/register.ts.
   */
  alert(event: string, fields?: LogFields): void;
};

/** A logged alert that is not in the table of alerts yet. `at`: UTC ms. */
export type RaisedAlert = { event: string; fields: LogFields; at: number };
/** The maximum number of collected alerts, which is reached only if the database does not respond. */
const MAX_RAISED = 500;

export const consoleLog: Log = {
  info: (event, fields = {}) => console.log(JSON.stringify({ level: 'info', event, ...fields })),
  alert: (event, fields = {}) => console.warn(JSON.stringify({ level: 'alert', event, ...fields })),
};

/** A log that also collects its alerts in `raised`; worker/domain/alerts/store-alerts.ts stores them after the response. */
export const collectAlerts = (log: Log, raised: RaisedAlert[], now: () => number): Log => ({
  info: log.info,
  alert: (event, fields = {}) => {
    log.alert(event, fields);
    if (raised.length < MAX_RAISED) raised.push({ event, fields, at: now() });
  },
});

const MAX_LENGTH = 200;

/**
 * Describes an error in one line, followed by its causes, because only they explain a database error. Omits the stack,
 * values, paths and anything that could be a token.
 */
export function causeOf(cause: unknown, depth = 3): string {
  const text = (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause))
    .replace(/\n?params:.*/s, '')
    .replace(/\s+/g, ' ');
  const redacted = (text.includes('Failed query:') ? text : text.replace(/"[^"]*"?/g, '"…"'))
    .replace(/\bfor value .*|(?<!\w)'[^']*'?/g, '…')
    .replace(/(\w:\/\/[^\s/?#]*)\S*/g, '$1')
    .replace(/(?=[\w.-]*\d)[\w.-]{20,}/g, '…')
    .slice(0, MAX_LENGTH);
  const causes = depth > 0 && cause instanceof Error && cause.cause ? causeOf(cause.cause, depth - 1) : '';
  return causes ? `${redacted} < ${causes}` : redacted;
}
