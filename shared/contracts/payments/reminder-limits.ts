/**
 * Limits on the reminders of an invoice: how many, how often and when. The hours of sending are in
 * shared/text/working-hours.ts.
 */

/** Maximum number of steps in a schedule. Each step is sent at most once. */
export const MAX_STEPS = 4;

/** Maximum number of days from the due date to a step, in both directions. */
export const MAX_STEP_DAYS = 90;

/** Minimum number of days between two reminders of an invoice. */
export const MIN_GAP_DAYS = 7;

/** Minimum time (ms) from another email about the invoice to its next reminder. */
export const MIN_GAP_AFTER_MAIL_MS = 24 * 3_600_000;

/** A reminder is dropped when it is late by more than this (ms). */
export const MAX_DELAY_MS = 48 * 3_600_000;
