import type { Random } from '#tests/support/seeded-random';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** `clinics`: how many of which number of invoices. `from`: UTC ms at which the day begins; `ms`: how long it is. */
export type Size = {
  clinics: { count: number; invoices: number }[];
  from: number;
  ms: number;
  payments: number;
  refunds: number;
  batches: number;
  resets: number;
  revoked: number;
  crmDownMs: number;
  gatewayDownMs: number;
  /** Of all invoices. */
  editShare: number;
};

const DAY_BEGINS = Date.UTC(2026, 10, 24, 6);

export const FULL: Size = {
  clinics: [
    { count: 1, invoices: 100_000 },
    { count: 9, invoices: 20_000 },
    { count: 990, invoices: 200 },
  ],
  from: DAY_BEGINS,
  ms: 24 * HOUR,
  payments: 5000,
  refunds: 200,
  batches: 1000,
  resets: 100,
  revoked: 20,
  crmDownMs: HOUR,
  gatewayDownMs: 10 * MINUTE,
  editShare: 0.01,
};

/** Two hours in which it becomes night in two of the time zones. */
export const SMALL: Size = {
  clinics: [
    { count: 1, invoices: 1000 },
    { count: 49, invoices: 60 },
  ],
  from: DAY_BEGINS + 0.6 * HOUR,
  ms: 2 * HOUR,
  payments: 250,
  refunds: 15,
  batches: 50,
  resets: 10,
  revoked: 2,
  crmDownMs: 20 * MINUTE,
  gatewayDownMs: 5 * MINUTE,
  editShare: 0.1,
};

/** For what must be found wrong: a guard of the product taken away, or a part of the platform. */
export const FEW: Size = {
  ...SMALL,
  clinics: [{ count: 15, invoices: 60 }],
  payments: 150,
  refunds: 5,
  batches: 15,
  resets: 0,
  revoked: 0,
  crmDownMs: 0,
  gatewayDownMs: 15 * MINUTE,
};

/** Six zones of one country: 2 a.m. comes to them at 7 to 12 o'clock UTC in winter. */
export const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
];

/** When things happen, in ms since the day's beginning. `clinic`: by its place. */
export type Plan = {
  payments: { at: number; clinic: number; means: 'once' | 'twice' | 'declined-first' }[];
  edits: { at: number; clinic: number }[];
  /** Staff look at a list every `EVERY_MS` from then on, for `forMs`. */
  looks: { from: number; forMs: number; clinic: number }[];
  /** Within a turn of its clock or a payment where one is under way. */
  resets: { at: number; clinic: number; isBusy: boolean }[];
  revoked: { at: number; clinic: number; forMs: number }[];
  crmDownAt: number;
  gatewayDownAt: number;
};

export function planOf(size: Size, random: Random): Plan {
  const sizes = size.clinics.flatMap(({ count, invoices }) => Array.from({ length: count }, () => invoices));
  const any = () => random.below(sizes.length);
  const within = (from: number, to: number) => Math.floor(size.ms * (from + random.next() * (to - from)));
  const crmDownAt = within(0.2, 0.25);
  const looks = sizes.map((_, clinic) => {
    const forMs = Math.min(HOUR / 2, size.ms / 4);
    return { clinic, forMs, from: Math.floor(random.next() * (size.ms - forMs)) };
  });
  const big = sizes.flatMap((invoices, at) => (invoices >= 1000 ? [at] : []));
  const payments = Array.from({ length: size.payments }, (_, n) => {
    // One for each clinic, so that each has a batch; of the others a third at the big ones.
    const clinic = n < sizes.length ? n : random.chance(0.3) && big.length > 0 ? random.pick(big) : any();
    const means = random.pick(['once', 'once', 'once', 'once', 'twice', 'declined-first'] as const);
    return { at: n < sizes.length ? within(0, 0.3) : within(0, 0.97), clinic, means };
  });
  const edits = sizes.flatMap((invoices, clinic) =>
    Array.from({ length: Math.round(invoices * size.editShare) }, () => {
      const look = looks[clinic];
      const isLooked = look && random.chance(0.25);
      return { clinic, at: isLooked ? look.from + Math.floor(random.next() * look.forMs) : within(0, 1) };
    }),
  );
  const resets = Array.from({ length: size.resets }, (_, n) => {
    const busy = n % 2 === 0 ? random.pick(payments) : null;
    return busy
      ? { at: busy.at + 30 * SECOND + random.below(4 * SECOND), clinic: busy.clinic, isBusy: true }
      : { at: within(0, 1), clinic: any(), isBusy: false };
  });
  const revoked = Array.from({ length: size.revoked }, (_, n) => {
    const forMs = Math.min(HOUR * (1 + random.next()), size.ms / 8);
    const clinic = (n * 47 + 5) % sizes.length;
    return { clinic, forMs, at: Math.floor(random.next() * (size.ms - forMs)) };
  });
  return { payments, edits, looks, resets, revoked, crmDownAt, gatewayDownAt: within(0.36, 0.4) };
}
