/** The product's entry points for the simulated month of reminders; bundled again for each mutant. */
export { openDb } from '#worker/data/db';
export { saveInvoice } from '#worker/data/invoices/invoices';
export { recordMailEvent } from '#worker/data/mail/events';
export { queueMail } from '#worker/data/mail/outbox';
export { createDeps } from '#worker/deps';
export { setReminderExclusion } from '#worker/domain/reminders/invoice';
export { switchRemindersOn } from '#worker/domain/reminders/settings';
export { stopReminders } from '#worker/domain/reminders/stop';
export { CLINIC_STEPS } from '#worker/domain/run-schedule';
export { CrmError } from '#worker/vendors/hubspot/port';
