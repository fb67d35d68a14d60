import type { PaymentNotices } from '#shared/contracts/payment-notices';
import type { NoticeChoice } from '#shared/contracts/payment-notices-request';
import { addDays, localDay, startOfDay } from '#shared/text/local-day';
import { clockTime } from '#shared/text/working-hours';
import { type DueNotices, listDueNotices, oweDayNotice, readNotices, saveNotices } from '#worker/data/mail/notices';
import { findAccount } from '#worker/data/merchants/accounts';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

type Who = Pick<Merchant, 'accountId' | 'userId'>;

/** The hour of the clinic's clock at which the day before is told. */
const TELLS_AT = 8;
/** People of one turn of the clock. */
const AT_ONCE = 20;

/** The first time after an instant at which days are told (UTC ms); also on days without work, since people work on them. */
function nextTelling(after: number, timeZone: string): number {
  const day = localDay(after, timeZone);
  const at = clockTime(day, TELLS_AT, timeZone);
  return at > after ? at : clockTime(addDays(day, 1), TELLS_AT, timeZone);
}

export const viewPaymentNotices = ({ db }: Pick<Deps, 'db'>, you: Who): Promise<PaymentNotices> => readNotices(db, you);

/** Keep the caller's own choice. Null: their address is not known, so nothing can be mailed. */
export async function choosePaymentNotices(deps: Deps, you: Who, how: NoticeChoice): Promise<PaymentNotices | null> {
  const { db, log, now } = deps;
  const { accountId, userId } = you;
  const before = await readNotices(db, you);
  if (how !== 'never' && before.to === '') return null;
  const at = now();
  const timeZone = (await findAccount(db, accountId))?.timeZone ?? 'UTC';
  const event = auditEvent(deps, {
    accountId,
    action: 'notices.changed',
    subject: ['staff', String(userId)],
    before: { how: before.how },
    after: { how },
  });
  await saveNotices(db, { accountId, userId, how }, { now: at, nextAt: nextTelling(at, timeZone) }, event);
  log.info('notices-changed', { accountId, userId, how });
  return readNotices(db, you);
}

/** What the clock does about the mails of a day: owe those whose hour has come. */
export async function owePaymentNotices(deps: Deps): Promise<void> {
  for (const due of await listDueNotices(deps.db, deps.now(), AT_ONCE)) await oweOne(deps, due);
}

/** After the clock stood still, one mail tells of all days since; not in the night, but at the next time of telling. */
async function oweOne({ db, now }: Deps, due: DueNotices): Promise<void> {
  const { accountId, userId, timeZone } = due;
  const at = now();
  const today = localDay(at, timeZone);
  const until = clockTime(today, TELLS_AT, timeZone) <= at ? startOfDay(today, timeZone) : due.toldUntil;
  const id = `notices-${accountId}-${userId}-${today}`;
  await oweDayNotice(db, due, { id, until, next: nextTelling(at, timeZone), now: at });
}
