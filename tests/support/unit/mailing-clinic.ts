import { UNDO_MS } from '#shared/limits';
import { requestMailing, sendMailings, viewMailing } from '#worker/domain/mailings/mailing';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';
import { makeWorld } from './world.ts';

/** A clinic whose CRM has this many open invoices, each with its own payer. */
export async function mailingClinic(count: number) {
  const world = await makeWorld();
  const { accountId, clock, deps, mails } = world;
  const crmState = { isSilent: false, reads: 0 };
  const books = new Map<string, CrmInvoice>();
  const template = world.crm.invoice as CrmInvoice;
  for (let n = 0; n < count; n++) {
    const id = String(Number(world.invoiceId) + 1_000_000 + n);
    const contact = { ...template.contact, email: `payer${n}@example.test` };
    books.set(id, { ...template, id, number: `INV-${n}`, contact });
  }
  deps.crm = {
    ...deps.crm,
    getInvoice: async (_token, id) => {
      crmState.reads++;
      if (crmState.isSilent) throw new CrmError('unavailable', 'silent');
      return books.get(id) ?? null;
    },
  };
  const staff = { accountId, userId: 1 };
  const ids = [...books.keys()];
  /** Runs the mailing step this many times, two seconds apart. */
  const runSteps = async (times: number) => {
    for (let turn = 0; turn < times; turn++) {
      await sendMailings(deps);
      clock.now += 2000;
    }
  };
  return {
    ...world,
    crmState,
    books,
    staff,
    ids,
    runSteps,
    requestMailing: (invoices = ids, id: string = crypto.randomUUID()) => requestMailing(deps, staff, id, invoices),
    begin: async (invoices = ids) => {
      const id = crypto.randomUUID();
      await requestMailing(deps, staff, id, invoices);
      clock.now += UNDO_MS;
      return id;
    },
    change: (at: number, fields: Partial<CrmInvoice>) => {
      const id = ids[at] ?? '';
      books.set(id, { ...(books.get(id) as CrmInvoice), ...fields });
    },
    results: async () =>
      (await viewMailing(deps, accountId))?.invoices.map(({ state, why }) => (why ? `${state}: ${why}` : state)),
    sentTo: () => mails.map(({ to }) => to).sort(),
  };
}
