/**
 * One JSON line per event for the operator. Each call picks its fields by hand: never a body, a token, a signature or a
 * card number.
 */
export type LogFields = Record<string, string | number | boolean | null>;
export type Log = {
  info(event: string, fields?: LogFields): void;
  /** A person must look: money may need one, or a credential is refused. */
  alert(event: string, fields?: LogFields): void;
};

export const consoleLog: Log = {
  info: (event, fields = {}) => console.log(JSON.stringify({ level: 'info', event, ...fields })),
  alert: (event, fields = {}) => console.warn(JSON.stringify({ level: 'alert', event, ...fields })),
};

const MOST = 200;

/**
 * The cause in one line, followed by its own causes: only there does a database error say why. Without stack, values,
 * paths or anything that could be a token.
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
