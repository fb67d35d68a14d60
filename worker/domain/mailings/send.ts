import type { LeftOutWhy } from '#shared/contracts/mailings';
import { readAgainst } from '#worker/data/mailings/against';
import {
  claimMailings,
  type DueMailing,
  giveMailingUp,
  goOnAt,
  mailOf,
  nextWaiting,
  settleInvoice,
} from '#worker/data/mailings/mailings';
import type { Deps } from '#worker/deps';
import { type MailOutcome, mailOneOfMany } from '#worker/domain/preview/mail';

/** Links of one turn of the clock: receipts and the money go before the next ones. */
const AT_ONCE = 10;
/** Between two turns (ms). */
const BREATH_MS = 1000;
/** A turn that takes longer (ms) is taken for dead. */
const TURN_MS = 5 * 60_000;
/** After a mail that could not go out the others wait as well (ms). */
const PAUSE_MS = 60_000;
/** Nobody waits longer for a link that a person sent by a press (ms). */
const LATEST_MS = 12 * 3_600_000;
/** Whoever got a link within this time (ms) does not get another one among many. */
const JUST_MS = 3_600_000;

/** What the clock does about mailings: some links of each. */
export async function sendMailings(deps: Deps): Promise<void> {
  for (const mailing of await claimMailings(deps.db, deps.now(), deps.now() + TURN_MS)) await sendSome(deps, mailing);
}

async function sendSome(deps: Deps, mailing: DueMailing): Promise<void> {
  const { db, now } = deps;
  if (now() - mailing.startsAt > LATEST_MS) await giveMailingUp(db, mailing, now());
  for (const invoiceId of await nextWaiting(db, mailing.id, AT_ONCE)) {
    const left = await sendOne(deps, mailing, invoiceId);
    if (left === 'later') return goOnAt(db, mailing.id, now() + PAUSE_MS);
    await settleInvoice(db, mailing.id, invoiceId, left.why, now());
    if (left.isLast) return goOnAt(db, mailing.id, now() + PAUSE_MS);
  }
  await goOnAt(db, mailing.id, now() + BREATH_MS);
}

/** `why` counts where no mail was owed. `isLast`: the mail service takes none now. `later`: nor does the CRM answer. */
async function sendOne(
  deps: Deps,
  { id, accountId, requestedBy }: DueMailing,
  invoiceId: string,
): Promise<'later' | { why: LeftOutWhy; isLast?: boolean }> {
  const who = { accountId, userId: requestedBy, role: 'desk' as const, sessionId: '' };
  const outcome = await mailOneOfMany(deps, who, invoiceId, {
    mailing: id,
    mailId: mailOf(id, invoiceId),
    against: (address) => whyNot(deps, { accountId, invoiceId, address }),
  });
  if (outcome.kind === 'crm-unavailable') return 'later';
  return outcome.kind === 'left-out'
    ? { why: outcome.why }
    : { why: wordOf(outcome), isLast: outcome.kind === 'queued' };
}

async function whyNot(
  { db, now }: Deps,
  of: { accountId: number; invoiceId: string; address: string },
): Promise<LeftOutWhy | null> {
  const { isMailed, bad } = await readAgainst(db, of, now() - JUST_MS);
  return bad ?? (isMailed ? 'just-mailed' : null);
}

function wordOf(outcome: Exclude<MailOutcome, { kind: 'crm-unavailable' }>): LeftOutWhy {
  switch (outcome.kind) {
    case 'not-payable':
      return outcome.state;
    case 'being-revoked':
    case 'no-address':
    case 'bad-address':
      return outcome.kind;
    case 'too-many':
      return { pause: 'just-mailed', day: 'invoice-full', account: 'day-full' }[outcome.reason] as LeftOutWhy;
    case 'not-found':
      return 'gone';
    // Its mail is in the outbox, or was until it was refused.
    case 'sent':
    case 'queued':
    case 'not-paid':
    case 'no-items':
      return 'refused';
  }
}
