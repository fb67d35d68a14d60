/**
 * One JSON line per event for the operator. Fields are picked by hand at each call: never a body, a token, a signature or
 * a card number.
 */
export type LogFields = Record<string, string | number | boolean | null>;
export type Log = {
  info(event: string, fields?: LogFields): void;
  /** Somebody must look: money may need a person, or a credential is refused. */
  alert(event: string, fields?: LogFields): void;
};

export const consoleLog: Log = {
  info: (event, fields = {}) => console.log(JSON.stringify({ level: 'info', event, ...fields })),
  alert: (event, fields = {}) => console.warn(JSON.stringify({ level: 'alert', event, ...fields })),
};

/** A cause in one line: no stack, no SQL values, no address of a vendor's query. */
export function causeOf(cause: unknown): string {
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return (text.split('\n')[0] ?? '').replace(/params:.*/s, '').slice(0, 200);
}
