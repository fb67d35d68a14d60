import type { CrmWrite } from '#worker/data/schema/crm';
import { listDueWrites } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import type { CrmConnection } from '#worker/domain/write-back/effect';
import type { CrmBalance, CrmPaymentRecords, CrmWriteResult } from '#worker/vendors/hubspot/payment-records-port';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from './rows.ts';

export const NOW = 100 * 24 * 3_600_000;

/** The CRM's scripted answers. */
export type Answers = {
  records?: { id: string; reference: string; givenBackCents: number }[];
  balance?: CrmBalance | null;
  answer?: CrmWriteResult;
  moves?: boolean | null;
};

export const balanceOf = (balanceCents: number | null, fields: Partial<CrmBalance> = {}): CrmBalance => ({
  isPaid: false,
  balanceCents,
  billedCents: 10_000,
  ...fields,
});

/** Adds a booked payment of $100.00 in an account that writes payments to the CRM. */
export async function addBookedPayment(): Promise<void> {
  await addClinic();
  await addPayment('p1');
  await addEntry('p1', { at: 5 });
  await add('crm_write_settings', { is_on: 1 });
}

export const addWrite = (id: string, fields: Record<string, unknown> = {}) =>
  add('crm_writes', {
    id,
    attempt_id: 'p1',
    invoice_id: 'p1',
    kind: 'payment',
    state: 'due',
    next_try_at: NOW,
    amount_cents: 10_000,
    ...fields,
  });

export const depsAt = (now = NOW) =>
  ({ db, now: () => now, log: { info: () => undefined }, crm: { displayName: 'HubSpot' } }) as unknown as Deps;

/** An account's connection to a CRM with these answers, and the CRM's recorded calls. */
export function connectCrm({ records = [], balance = balanceOf(10_000), answer, moves = true }: Answers) {
  const calls: unknown[][] = [];
  const crm: CrmPaymentRecords = {
    listRecords: async () => records,
    readBalance: async () => balance,
    createRecord: async (_token, record) => {
      calls.push(['create', record]);
      return answer ?? { kind: 'written', id: 'o1' };
    },
    changeRecord: async (_token, id, change) => {
      calls.push(['change', id, change]);
      return answer ?? { kind: 'written', id };
    },
  };
  const connection: CrmConnection = {
    accountId: ACCOUNT,
    movesBalance: moves,
    call: async (call) => call(crm, 'token'),
  };
  return { connection, calls };
}

/** The due write with this id. Throws if it is not due. */
export async function dueRow(id: string, now = NOW): Promise<CrmWrite> {
  const write = (await listDueWrites(db, ACCOUNT, now, 9)).find((row) => row.id === id);
  if (!write) throw new Error(`${id} is not due`);
  return write;
}

export const storedWrite = async (id: string) => (await rowsOf('SELECT * FROM crm_writes WHERE id = ?', id))[0];
export const storedSettings = async () => (await rowsOf('SELECT * FROM crm_write_settings'))[0];
