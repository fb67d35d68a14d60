import { type HubSpotHttp, paths } from './http.ts';
import type { CrmLine } from './port.ts';
import { lineFields } from './records.ts';
import { Associations, type CrmObject, CrmObjects } from './wire.ts';

/** Six decimals are enough for prices in fractions of a cent and for decimal hours, without floating-point numbers. */
const DECIMALS = 6;
const ONE = 10n ** BigInt(DECIMALS);
const PER_CENT = ONE / 100n;
const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,6})0*)?$/;

function millionthsOf(text: string | null | undefined): bigint | null {
  const match = DECIMAL.exec(text ?? '');
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const value = BigInt(whole) * ONE + BigInt(fraction.padEnd(DECIMALS, '0'));
  return sign ? -value : value;
}

/** Rounds half away from zero. */
function divide(value: bigint, divisor: bigint): bigint {
  const isNegative = value < 0n !== divisor < 0n;
  const [size, unit] = [value < 0n ? -value : value, divisor < 0n ? -divisor : divisor];
  const rounded = (2n * size + unit) / (2n * unit);
  return isNegative ? -rounded : rounded;
}

/** Formats at least two decimals, and more only if they are not zero. */
function decimalOf(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${fraction}`;
}

/**
 * HubSpot's `amount` is the line's total after discounts, and `price` the unit price before them. We print the price if
 * quantity x price equals the total, otherwise the total divided by the quantity.
 */
export function lineOf({ id, properties }: Pick<CrmObject, 'id' | 'properties'>): CrmLine {
  const price = millionthsOf(properties.price);
  const total = millionthsOf(properties.amount);
  const quantity = millionthsOf(properties.quantity || '1');
  const product = price === null || quantity === null ? null : divide(price * quantity, ONE * PER_CENT);
  const totalCents = total === null ? product : divide(total, PER_CENT);
  const isWhole = price !== null && (product === null || product === totalCents);
  const unit = isWhole || totalCents === null || !quantity ? price : divide(totalCents * PER_CENT * ONE, quantity);
  return {
    id,
    name: properties.name ?? '',
    unitPrice: unit === null ? null : decimalOf(unit),
    quantity: properties.quantity || null,
    totalCents: totalCents === null ? null : Number(totalCents),
  };
}

const BATCH_SIZE = 100;
/** Ends the loop if responses always contain a next page. */
const MAX_LINES = 2000;

export type ReadLines = (token: string, invoiceId: string) => Promise<CrmLine[]>;

/** Reads the lines of one invoice. */
export function lineReader({ read }: HubSpotHttp): ReadLines {
  async function listLineIds(token: string, invoiceId: string): Promise<string[]> {
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const page = await read(Associations, token, paths.associations('invoices', 'line_items'), {
        inputs: [{ id: invoiceId, ...(after === undefined ? {} : { after }) }],
      });
      const links = page?.results.find((link) => link.from.id === invoiceId);
      ids.push(...(links?.to ?? []).map(({ toObjectId }) => toObjectId));
      after = links?.paging?.next?.after;
    } while (after !== undefined && ids.length < MAX_LINES);
    return [...new Set(ids)];
  }

  return async (token, invoiceId) => {
    const ids = await listLineIds(token, invoiceId);
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, n) =>
      ids.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
    );
    const pages = await Promise.all(
      batches.map((batch) =>
        read(CrmObjects, token, paths.batchRead('line_items'), {
          inputs: batch.map((id) => ({ id })),
          properties: lineFields,
          propertiesWithHistory: [],
        }),
      ),
    );
    // Responses come in any order; associations are in the order in which the lines were created.
    const byId = new Map(pages.flatMap((page) => page?.results ?? []).map((object) => [object.id, object]));
    return ids.flatMap((id) => byId.get(id) ?? []).map(lineOf);
  };
}
