import * as z from 'zod/mini';
import { parseCents } from '#shared/money';
import type { Deposit } from '../boarding-port.ts';
import { callVendor, parseJson } from '../http.ts';
import { batchIdOf } from './transaction.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 10;

const reportText = z._default(z.catch(z.coerce.string(), ''), '');
const ReportRow = z.object({
  batchNumber: reportText,
  terminalID: reportText,
  fundedDate: reportText,
  depositAmount: reportText,
});

type ReportOptions = { reportingBase: string; accessKey: string; timeoutMs: number };

/** Lists the batches scheduled for payout to a merchant on a day, from the provider's report. */
export async function listDeposits(
  { reportingBase, accessKey, timeoutMs }: ReportOptions,
  merchantNumber: string,
  day: string,
): Promise<Deposit[] | 'unavailable'> {
  const deposits: Deposit[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({
      merchantNumber,
      expectedFundedDate: day,
      pageNumber: String(page),
      pageSize: String(PAGE_SIZE),
    });
    const address = `${reportingBase}/data/api/v1/standard/merchantClosedBatches?${query}`;
    const headers = { accept: 'application/json', AccessKey: accessKey };
    const reply = await callVendor(address, { headers }, timeoutMs).catch(() => null);
    if (reply?.status === 204) return deposits;
    const rows = reply?.status === 200 ? rowsOf(parseJson(reply.text)) : null;
    if (!rows) return 'unavailable';
    deposits.push(...rows.flatMap(depositsOf));
    if (rows.length < PAGE_SIZE) return deposits;
  }
  return deposits;
}

/** Returns the rows of a report, which is a bare list or an object that contains one. */
function rowsOf(body: unknown): unknown[] | null {
  if (Array.isArray(body)) return body;
  return typeof body === 'object' && body !== null ? (Object.values(body).find(Array.isArray) ?? null) : null;
}

function depositsOf(row: unknown): Deposit[] {
  const { success, data } = ReportRow.safeParse(row);
  const fundedOn = data?.fundedDate.slice(0, 10) ?? '';
  const depositCents = parseCents(data?.depositAmount);
  if (!success || !/^\d{4}-\d\d-\d\d$/.test(fundedOn) || depositCents === null) return [];
  return [{ batchId: batchIdOf(data.batchNumber), terminalId: data.terminalID, fundedOn, depositCents }];
}
