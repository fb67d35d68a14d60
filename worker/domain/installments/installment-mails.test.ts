import { expect, it } from 'vitest';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { queueMail } from '#worker/data/mail/outbox';
import { choosePaymentNotices } from '#worker/domain/mail/payment-notices';
import { mailPayLink, mailTestLink } from '#worker/domain/preview/mail-invoice';
import { CLINIC_STEPS } from '#worker/domain/run-schedule';
import { closeParts } from './open-and-close.ts';

it.each([
  ['while it is in installments', false],
  ['even after staff have closed the installments', true],
])('staff are emailed about an installment and the remaining amount, %s', async (_title, isClosed) => {
  const world = await makePartWorld();
  await choosePaymentNotices(world.deps, { accountId: world.accountId, userId: 1 }, 'at-once');
  await world.pay('50.00');
  if (isClosed) await closeParts(world.deps, world.manager, world.invoiceId);
  world.clock.now += 1000;
  await CLINIC_STEPS.mails?.(world.deps);
  const mail = world.mails.find(({ to }) => to === 'ana@maple.example');
  expect(mail?.subject).toBe(`Installment of $50.00 USD paid for invoice INV-${world.invoiceId}`);
  expect(mail?.text).toContain('$134.00 USD is left to pay.');
});

it('a pay link is not emailed while staff must decide the amount', async () => {
  const world = await makePartWorld();
  await world.pay('50.00');
  world.edit(9_000);
  expect((await world.pay('50.00')).kind).toBe('frozen');
  const mailCount = world.mails.length;
  for (const mail of [
    mailPayLink(world.deps, world.manager, world.invoiceId),
    mailTestLink(world.deps, world.manager, world.invoiceId, 'ana@maple.example'),
  ])
    expect(await mail).toMatchObject({ kind: 'not-payable', state: 'amount-changed' });
  expect(world.mails).toHaveLength(mailCount);
});

it('a queued pay link is not sent once its amount has changed', async () => {
  const world = await makePartWorld();
  await world.pay('50.00');
  const { db, accountId, invoiceId, deps, clock } = world;
  await queueMail(
    db,
    { id: 'late', kind: 'pay-link', recipient: 'payer@example.test', accountId, invoiceId },
    clock.now,
  );
  world.edit(9_000);
  expect((await world.pay('50.00')).kind).toBe('frozen');
  await CLINIC_STEPS.mails?.(deps);
  expect(world.mails.filter(({ to }) => to === 'payer@example.test')).toEqual([]);
});

it('a pay link is not emailed while a payment of the invoice is under way', async () => {
  const world = await makePartWorld();
  world.gateway.script.charge = () => ({ kind: 'unknown', cause: 'TimeoutError', exchangeId: '' });
  expect((await world.pay('50.00')).kind).toBe('pending');
  const mail = await mailPayLink(world.deps, world.manager, world.invoiceId);
  expect(mail).toMatchObject({ kind: 'not-payable', state: 'paying' });
});
