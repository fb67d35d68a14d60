/** The path at which a test run's Worker gives access to the installation's database; see worker-entry.ts. */
export const DATABASE_PATH = '/api/test-entry/database';
export const SECRET_HEADER = 'x-test-entry-secret';
/** The headers of such a call. Uses a new connection: workerd may close a kept one just as the next call is sent. */
export const headersOf = (secret: string) => ({
  'content-type': 'application/json',
  connection: 'close',
  [SECRET_HEADER]: secret,
});
/** Header with settings of the Worker for this request only, as JSON. */
export const SETTINGS_HEADER = 'x-test-entry-settings';

type WireValue = string | number | boolean | null | { bytes: string };
type WireStatement = { text: string; values: WireValue[] };
export type DatabaseCall =
  | { do: 'exec'; text: string }
  | { do: 'batch' | 'all' | 'run'; statements: WireStatement[] }
  | { do: 'first'; statements: WireStatement[]; column?: string }
  | { do: 'raw'; statements: WireStatement[]; columnNames?: boolean };
export type DatabaseReply = { value: unknown } | { error: string };

/** Converts a bound value. Throws for values that JSON would drop or change, as D1 does for values it cannot store. */
export function toWire(value: unknown): WireValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof ArrayBuffer) return { bytes: base64(new Uint8Array(value)) };
  if (ArrayBuffer.isView(value))
    return { bytes: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  throw new TypeError(`D1_TYPE_ERROR: a ${typeof value} (${String(value)}) cannot be bound`);
}

const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

export function fromWire(value: WireValue): string | number | boolean | null | Uint8Array {
  if (value === null || typeof value !== 'object') return value;
  return Uint8Array.from(atob(value.bytes), (letter) => letter.charCodeAt(0));
}

/** Access to the database of a running installation: the product's Worker runs each statement. */
export function remoteDatabase({ appUrl, secret }: { appUrl: string; secret: string }): D1Database {
  async function ask<T>(call: DatabaseCall): Promise<T> {
    const response = await fetch(`${appUrl}${DATABASE_PATH}`, {
      method: 'POST',
      headers: headersOf(secret),
      body: JSON.stringify(call),
    });
    if (!response.ok) throw new Error(`no access to the database: ${response.status} ${await response.text()}`);
    const reply = (await response.json()) as DatabaseReply;
    if ('error' in reply) throw new Error(reply.error);
    return reply.value as T;
  }

  const wireStatements = new WeakMap<D1PreparedStatement, WireStatement>();
  const wireOf = (statement: D1PreparedStatement): WireStatement => {
    const wire = wireStatements.get(statement);
    if (!wire) throw new TypeError('the statement belongs to another database');
    return wire;
  };

  function statementOf(text: string, values: WireValue[]): D1PreparedStatement {
    const statements = [{ text, values }];
    const statement = {
      bind: (...bound: unknown[]) => statementOf(text, bound.map(toWire)),
      first: (column?: string) => ask({ do: 'first', statements, ...(column === undefined ? {} : { column }) }),
      all: () => ask({ do: 'all', statements }),
      run: () => ask({ do: 'run', statements }),
      raw: (options?: { columnNames?: boolean }) =>
        ask({ do: 'raw', statements, columnNames: options?.columnNames ?? false }),
    } as D1PreparedStatement;
    wireStatements.set(statement, { text, values });
    return statement;
  }

  return {
    prepare: (text: string) => statementOf(text, []),
    batch: (list: D1PreparedStatement[]) => ask({ do: 'batch', statements: list.map(wireOf) }),
    exec: (text: string) => ask({ do: 'exec', text }),
  } as D1Database;
}
