import type { DayWorld } from './world.ts';

/** Work that waits at one moment, summed over all clinics. */
export type Sample = {
  /** UTC ms. */
  at: number;
  edits: number;
  payments: number;
  mails: number;
  /** Clinics whose alarm is at least two minutes overdue. */
  late: number;
};

const LATE_MS = 2 * 60_000;

export function sampleOf({ clinics, engine }: DayWorld, edits: number): Sample {
  const now = engine.now();
  const sample = { at: now, edits, payments: 0, mails: 0, late: 0 };
  for (const { object } of clinics) {
    const [row] = object.read<{ payments: number; mails: number }>(`SELECT
      (SELECT count(*) FROM payment_attempts WHERE next_check_at IS NOT NULL) AS payments,
      (SELECT count(*) FROM outbox WHERE state = 'due') AS mails`);
    sample.payments += row?.payments ?? 0;
    sample.mails += row?.mails ?? 0;
    const alarmAt = object.alarmAt();
    if (!object.isBusy() && (alarmAt === null || alarmAt < now - LATE_MS)) sample.late += 1;
  }
  return sample;
}
