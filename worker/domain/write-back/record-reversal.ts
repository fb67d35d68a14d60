import type { CrmWrite } from '#worker/data/schema/crm';
import { findPaymentFacts, type PaymentFacts, updateWrite } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { type CrmConnection, type NextStep, pauseAccount, readEffect, retryTime } from './effect.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Pause while the record of the payment is not settled (ms). */
const PAYMENT_PENDING_MS = 10 * MINUTE_MS;
/**
 * The longest wait for the payment's record (ms). After this time, an unknown record is no longer looked up, and a
 * refused record is no longer retried.
 */
export const MAX_WAIT_MS = { unknown: 11 * DAY_MS, other: 45 * DAY_MS };
const MAX_TRIES = 10;

const KIND_TEXT = { refund: 'refunded', void: 'voided', return: 'returned by the bank' } as const;

/**
 * Writes the total reversed amount to the payment's record. Repeating it has no effect, so a lost call is simply
 * retried.
 */
export async function recordReversal(deps: Deps, connection: CrmConnection, row: CrmWrite): Promise<NextStep> {
  const { db, now } = deps;
  const facts = await findPaymentFacts(db, row);
  const finish = async (state: CrmWrite['state'], message: string): Promise<NextStep> => {
    await updateWrite(db, row, { state, said: message, nextTryAt: null, doneAt: now() });
    return 'go-on';
  };
  switch (facts?.payment?.state) {
    case 'written':
      return updateRecord(deps, connection, row, facts, facts.payment.objectId);
    case 'due':
    case 'sent':
    case 'unknown':
    case 'refused': {
      const isUnknown = facts.payment.state === 'unknown';
      if (now() - row.createdAt >= MAX_WAIT_MS[isUnknown ? 'unknown' : 'other'])
        return finish(
          'unknown',
          'We do not know if the payment was recorded, so this refund could not be added to it.',
        );
      await updateWrite(db, row, { nextTryAt: now() + PAYMENT_PENDING_MS });
      return 'go-on';
    }
    case 'by_hand':
      return finish('unknown', 'The payment was recorded by hand, so its refunds must be too.');
    default:
      return finish('not_wanted', `The payment is not recorded in ${deps.crm.displayName}.`);
  }
}

async function updateRecord(
  deps: Deps,
  connection: CrmConnection,
  row: CrmWrite,
  facts: PaymentFacts,
  recordId: string,
): Promise<NextStep> {
  const { db, now } = deps;
  const { amountCents, givenBackCents, lastKind } = facts;
  const move = async (change: Partial<CrmWrite>) => {
    await updateWrite(db, row, change);
    return { ...row, ...change };
  };
  const writtenChange = {
    state: 'written',
    objectId: recordId,
    looks: 0,
    said: '',
    doneAt: now(),
    nextTryAt: now(),
  } as const;
  const records = await connection.call((crm, token) => crm.listRecords(token, row.invoiceId));
  if (records.find(({ id }) => id === recordId)?.givenBackCents === givenBackCents)
    return readEffect(deps, connection, await move(writtenChange));
  const balance = await connection.call((crm, token) => crm.readBalance(token, row.invoiceId));
  const sentRow = await markSent(deps, row, balance?.balanceCents ?? null);
  const comment = `Tillway ${row.attemptId}${lastKind ? `, ${KIND_TEXT[lastKind]}` : ''}`;
  const answer = await connection.call((crm, token) =>
    crm.changeRecord(token, recordId, { amountCents, givenBackCents, comment }),
  );
  switch (answer.kind) {
    case 'written':
      await updateWrite(db, sentRow, writtenChange);
      return readEffect(deps, connection, { ...sentRow, ...writtenChange });
    case 'unanswered':
      if (sentRow.tries >= MAX_TRIES)
        await updateWrite(db, sentRow, {
          state: 'unknown',
          said: `${deps.crm.displayName} did not answer.`,
          nextTryAt: null,
        });
      return 'go-on';
    case 'refused':
      await updateWrite(db, sentRow, { state: 'refused', said: answer.said, nextTryAt: retryTime(sentRow, now()) });
      return pauseAccount(deps, connection, answer);
    default:
      return pauseAccount(deps, connection, answer);
  }
}

/** Keeps the first balance, since a lost call may have changed it already. */
async function markSent({ db, now }: Deps, row: CrmWrite, balanceCents: number | null): Promise<CrmWrite> {
  const change = {
    tries: row.tries + 1,
    balanceCents: row.balanceCents ?? balanceCents,
    sentAt: now(),
    nextTryAt: now() + MINUTE_MS,
  };
  await updateWrite(db, row, change);
  return { ...row, ...change };
}
