import { formatMoney } from '#shared/money';
import type { CrmWrite } from '#worker/data/schema/crm';
import { claimWrite, findPaymentFacts, type PaymentFacts, updateWrite } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { type CrmConnection, type NextStep, pauseAccount, readEffect, retryTime } from './effect.ts';

const MINUTE_MS = 60_000;
/** After an unanswered call, its record is looked up twice. */
const FIRST_LOOKUP_MS = MINUTE_MS;
const SECOND_LOOKUP_MS = 2 * MINUTE_MS;
/**
 * While it is unknown how records affect balances, a lost call waits until another record shows that, for up to a day.
 */
const UNKNOWN_EFFECT_PAUSE_MS = 10 * MINUTE_MS;
const MAX_UNKNOWN_EFFECT_MS = 24 * 60 * MINUTE_MS;
/** While a record waits for a person's decision, it may still appear, so it is looked up but not requested again. */
const LATE_LOOKUP_MS = 6 * 60 * MINUTE_MS;
const MAX_LATE_LOOKUPS = 40;
const MAX_TRIES = 5;

/** Creates the record of a payment only once, because it always looks for an existing record first. */
export async function recordPayment(deps: Deps, connection: CrmConnection, row: CrmWrite): Promise<NextStep> {
  const facts = await findPaymentFacts(deps.db, row);
  if (!facts) return endWrite(deps, row, 'not_wanted', 'The payment is not in the ledger.');
  const existing = await findRecord(connection, row, facts);
  if (existing) return adoptRecord(deps, connection, row, existing.id);
  switch (row.state) {
    case 'due':
    // The pause after the refusal is over.
    case 'refused':
      return requestRecord(deps, connection, row, facts);
    case 'sent':
      return handleMissing(deps, connection, row, facts);
    default:
      return scheduleLookup(deps, row);
  }
}

async function findRecord(connection: CrmConnection, { invoiceId }: CrmWrite, { reference }: PaymentFacts) {
  const records = await connection.call((crm, token) => crm.listRecords(token, invoiceId));
  return records.find((record) => record.reference === reference);
}

/** Takes over an existing record and reads its effect from the balance. */
async function adoptRecord(deps: Deps, connection: CrmConnection, row: CrmWrite, objectId: string): Promise<NextStep> {
  const writtenChange = { state: 'written', objectId, looks: 0, said: '', doneAt: deps.now() } as const;
  await updateWrite(deps.db, row, { ...writtenChange, nextTryAt: deps.now() });
  return readEffect(deps, connection, { ...row, ...writtenChange });
}

async function endWrite(
  { db, now }: Deps,
  row: CrmWrite,
  state: CrmWrite['state'],
  message: string,
): Promise<NextStep> {
  await updateWrite(db, row, { state, said: message, nextTryAt: null, doneAt: now() });
  return 'go-on';
}

/** Leaves the record to a person. Lookups continue, since no decision is needed if it is found. */
async function escalate({ db, now }: Deps, row: CrmWrite, message: string): Promise<NextStep> {
  await updateWrite(db, row, { state: 'unknown', said: message, looks: 0, nextTryAt: now() + LATE_LOOKUP_MS });
  return 'go-on';
}

/**
 * Requests the record. After an unanswered call (`sentAt`), it does so only if records change balances in this account
 * and the balance has not changed since that call, which proves that there is no record yet. The row's state stays
 * unchanged until it is claimed again, because a `sent` row blocks other records of its invoice, which would change the
 * balance.
 */
async function requestRecord(
  deps: Deps,
  connection: CrmConnection,
  row: CrmWrite,
  facts: PaymentFacts,
): Promise<NextStep> {
  const { db, now } = deps;
  const { amountCents, givenBackCents, currency } = facts;
  const netCents = amountCents - givenBackCents;
  if (netCents <= 0) return endWrite(deps, row, 'not_wanted', 'It was refunded before it was recorded.');
  const isRetry = row.sentAt !== null;
  if (isRetry && (connection.movesBalance !== true || row.balanceCents === null || row.tries >= MAX_TRIES))
    return escalate(deps, row, `${deps.crm.displayName} did not answer, and nothing shows whether it was recorded.`);
  const balance = await connection.call((crm, token) => crm.readBalance(token, row.invoiceId));
  if (!balance) return endWrite(deps, row, 'not_wanted', `${deps.crm.displayName} no longer has this invoice.`);
  const owedCents = balance.balanceCents;
  if (owedCents === null || owedCents < netCents || (isRetry && owedCents !== row.balanceCents)) {
    const balanceText = owedCents === null ? 'no balance' : `${formatMoney(owedCents, currency)} open`;
    return escalate(deps, row, `${deps.crm.displayName} shows ${balanceText}, so someone may have recorded it there.`);
  }
  const claim = { balanceCents: owedCents, oneAtATime: connection.movesBalance === null, now: now() };
  if (!(await claimWrite(db, row, { ...claim, nextTryAt: now() + FIRST_LOOKUP_MS }))) {
    await updateWrite(db, row, { nextTryAt: now() + MINUTE_MS });
    return 'go-on';
  }
  const sentRow = { ...row, state: 'sent', tries: row.tries + 1, balanceCents: owedCents } as const;
  // The values from before this call, in case it writes nothing.
  const previousValues = { sentAt: row.sentAt, balanceCents: row.balanceCents, looks: row.looks };
  const answer = await connection.call((crm, token) => crm.createRecord(token, recordOf(row, facts)));
  switch (answer.kind) {
    case 'written':
      return adoptRecord(deps, connection, sentRow, answer.id);
    case 'unanswered':
      return 'go-on';
    case 'refused':
      await updateWrite(db, sentRow, {
        ...previousValues,
        state: 'refused',
        said: answer.said,
        nextTryAt: retryTime(sentRow, now()),
      });
      return pauseAccount(deps, connection, answer);
    default:
      await updateWrite(db, sentRow, { ...previousValues, state: row.state, tries: row.tries, nextTryAt: now() });
      return pauseAccount(deps, connection, answer);
  }
}

const recordOf = (row: CrmWrite, facts: PaymentFacts) => {
  const { lastKind: _, payment: __, ...rest } = facts;
  return { ...rest, invoiceId: row.invoiceId, comment: `Tillway ${row.attemptId}` };
};

/** Handles a record that was requested but not found. It is requested again only after two empty lookups. */
async function handleMissing(
  deps: Deps,
  connection: CrmConnection,
  row: CrmWrite,
  facts: PaymentFacts,
): Promise<NextStep> {
  const { db, now } = deps;
  if (row.looks === 0) {
    await updateWrite(db, row, { looks: 1, nextTryAt: now() + SECOND_LOOKUP_MS });
    return 'go-on';
  }
  if (connection.movesBalance === null && now() - (row.sentAt ?? 0) < MAX_UNKNOWN_EFFECT_MS) {
    await updateWrite(db, row, { looks: 2, nextTryAt: now() + UNKNOWN_EFFECT_PAUSE_MS });
    return 'go-on';
  }
  return requestRecord(deps, connection, row, facts);
}

async function scheduleLookup({ db, now }: Deps, row: CrmWrite): Promise<NextStep> {
  const next = row.looks + 1 < MAX_LATE_LOOKUPS ? now() + LATE_LOOKUP_MS : null;
  await updateWrite(db, row, { looks: row.looks + 1, nextTryAt: next });
  return 'go-on';
}
