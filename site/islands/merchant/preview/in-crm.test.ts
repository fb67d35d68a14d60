import { describe, expect, it } from 'vitest';
import type { CrmRecord, InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { setTimeZone } from '#site/islands/ui/format-moment.ts';
import { crmRecordLines } from './Sum.tsx';

setTimeZone('UTC');
const AT = '2020-03-04T11:32:00.000Z';

const invoice = (records: (CrmRecord | null)[], crm_status = 'open') =>
  ({
    crm_status,
    properties: { hs_currency: 'USD' },
    life: { payments: records.map((in_crm, n) => ({ amount: `${n + 1}00.00`, in_crm })) },
  }) as unknown as InvoicePreviewReply;

describe('CRM record line', () => {
  it.each([
    [{ state: 'recorded', at: AT, why: '' }, 'Recorded in HubSpot Mar 4, 2020, 11:32 AM'],
    [{ state: 'by-hand', at: AT, why: 'By Marta' }, 'Recorded in HubSpot by hand Mar 4, 2020, 11:32 AM: By Marta'],
    [{ state: 'waiting', at: null, why: '' }, 'Will be recorded in HubSpot.'],
    [{ state: 'unmoved', at: null, why: '' }, 'Recorded, but HubSpot still shows it as open.'],
    [{ state: 'missing', at: null, why: '' }, 'Paid here, not in HubSpot.'],
    [{ state: 'missing', at: null, why: 'Not set up' }, 'Paid here, not in HubSpot: Not set up'],
  ] as const)('describes %j as "%s"', (record, text) => {
    expect(crmRecordLines(invoice([record])).map((line) => line.replaceAll('\u00a0', ' '))).toEqual([text]);
  });

  it('is absent without a record, and trusts the CRM’s status over our record', () => {
    expect(crmRecordLines(invoice([null]))).toEqual([]);
    const unmoved = { state: 'unmoved', at: null, why: '' } as const;
    expect(crmRecordLines(invoice([unmoved], 'paid'))).toEqual(['HubSpot shows this invoice as paid.']);
  });

  it('shows the amount of each payment when there are several', () => {
    const [waiting, missing] = [
      { state: 'waiting', at: null, why: '' } as const,
      { state: 'missing', at: null, why: '' } as const,
    ];
    expect(crmRecordLines(invoice([waiting, null, missing]))).toEqual([
      '$100.00: Will be recorded in HubSpot.',
      '$300.00: Paid here, not in HubSpot.',
    ]);
  });
});
