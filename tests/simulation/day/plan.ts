import type { Random } from '#tests/support/seeded-random';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** `clinics`: groups of clinics by number of invoices. `from`: start of the day (UTC ms); `ms`: its length. */
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
  /** Share of invoices that are edited. */
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

/** Two hours in which two of the time zones reach the night. */
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

/** For runs that must fail because a guard of the product or a part of the platform is removed. */
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

/** Six zones of one country, in which 2 a.m. is 7:00 to 12:00 UTC in winter. */
export const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
];

/** Events of the day; times in ms since its start, `clinic` as an index. */
export type Plan = {
  payments: { at: number; clinic: number; behavior: 'once' | 'twice' | 'declined-first' }[];
  edits: { at: number; clinic: number }[];
  /** Staff view a list repeatedly from `from` on, for `forMs`. */
  views: { from: number; forMs: number; clinic: number }[];
  /** `isBusy`: timed to hit a running turn or payment. */
  resets: { at: number; clinic: number; isBusy: boolean }[];
  revoked: { at: number; clinic: number; forMs: number }[];
  crmDownAt: number;
  gatewayDownAt: number;
};

export function planOf(size: Size, random: Random): Plan {
  const sizes = size.clinics.flatMap(({ count, invoices }) => Array.from({ length: count }, () => invoices));
  const randomClinic = () => random.below(sizes.length);
  const randomTime = (from: number, to: number) => Math.floor(size.ms * (from + random.next() * (to - from)));
  const crmDownAt = randomTime(0.2, 0.25);
  const views = sizes.map((_, clinic) => {
    const forMs = Math.min(HOUR / 2, size.ms / 4);
    return { clinic, forMs, from: Math.floor(random.next() * (size.ms - forMs)) };
  });
  const bigClinics = sizes.flatMap((invoices, index) => (invoices >= 1000 ? [index] : []));
  const payments = Array.from({ length: size.payments }, (_, n) => {
    // One payment for each clinic, so that each has a batch; a third of the others go to the big clinics.
    const clinic =
      n < sizes.length ? n : random.chance(0.3) && bigClinics.length > 0 ? random.pick(bigClinics) : randomClinic();
    const behavior = random.pick(['once', 'once', 'once', 'once', 'twice', 'declined-first'] as const);
    return { at: n < sizes.length ? randomTime(0, 0.3) : randomTime(0, 0.97), clinic, behavior };
  });
  const edits = sizes.flatMap((invoices, clinic) =>
    Array.from({ length: Math.round(invoices * size.editShare) }, () => {
      const view = views[clinic];
      const isViewed = view && random.chance(0.25);
      return { clinic, at: isViewed ? view.from + Math.floor(random.next() * view.forMs) : randomTime(0, 1) };
    }),
  );
  const resets = Array.from({ length: size.resets }, (_, n) => {
    const payment = n % 2 === 0 ? random.pick(payments) : null;
    return payment
      ? { at: payment.at + 30 * SECOND + random.below(4 * SECOND), clinic: payment.clinic, isBusy: true }
      : { at: randomTime(0, 1), clinic: randomClinic(), isBusy: false };
  });
  const revoked = Array.from({ length: size.revoked }, (_, n) => {
    const forMs = Math.min(HOUR * (1 + random.next()), size.ms / 8);
    const clinic = (n * 47 + 5) % sizes.length;
    return { clinic, forMs, at: Math.floor(random.next() * (size.ms - forMs)) };
  });
  return { payments, edits, views, resets, revoked, crmDownAt, gatewayDownAt: randomTime(0.36, 0.4) };
}
