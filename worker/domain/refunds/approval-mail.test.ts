import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { StaffRole } from '#shared/contracts/staff/team-values';
import { paidWorld } from '#tests/support/unit/paid-world';
import { freshId } from '#tests/support/unit/world';
import { accounts, outbox, paymentAttempts, users } from '#worker/data/schema/schema';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { decide } from './approvals.ts';

/** An account with a payment of 184.00 and a team, in which refunds above 100.00 wait for a second person. */
async function makeTeamWorld() {
  const paid = await paidWorld();
  const { db, accountId } = paid;
  await db.update(accounts).set({ secondPersonCents: 10_000 }).where(eq(accounts.accountId, accountId));
  const hire = async (role: StaffRole, overrides: { email?: string; removedAt?: number } = {}): Promise<Merchant> => {
    const userId = freshId();
    const email = `${role}${userId}@x.example`;
    await db.insert(users).values({ accountId, userId, email, role, lastLoginAt: 0, ...overrides });
    return { sessionId: `s${userId}`, accountId, userId, role };
  };
  const queued = () => db.select().from(outbox).where(eq(outbox.kind, 'approval-asked')).orderBy(outbox.recipient);
  const recipients = async () => (await queued()).map(({ recipient }) => recipient);
  return { ...paid, hire, queued, recipients };
}

describe('the email about a refund that waits for approval', () => {
  it('goes to everyone who may approve it, and to no one else', async () => {
    const { hire, recipients, reverse, merchant, db, accountId } = await makeTeamWorld();
    const [ben, ana] = [await hire('manager'), await hire('admin')];
    await hire('desk');
    await hire('reader');
    await hire('manager', { removedAt: 1 });
    await hire('manager', { email: '' });
    const otherAccountUser = {
      accountId: accountId + 1_000_000,
      userId: 5,
      email: 'ben@other.example',
      role: 'admin',
    } as const;
    await db
      .insert(accounts)
      .values({ accountId: otherAccountUser.accountId, name: 'Other', domain: '', timeZone: 'UTC', connectedAt: 0 });
    await db.insert(users).values({ ...otherAccountUser, lastLoginAt: 0 });
    const outcome = await reverse({}, merchant);
    expect(await recipients()).toEqual([`admin${ana.userId}@x.example`, `manager${ben.userId}@x.example`]);
    expect(outcome).toMatchObject({ kind: 'waiting' });
    if (outcome.kind === 'waiting') expect(outcome.mailIds).toHaveLength(2);
  });

  it('is queued once per waiting refund, despite repeated requests and after the provider did not answer', async () => {
    const { hire, queued, reverse, merchant, deps, gateway } = await makeTeamWorld();
    const ben = await hire('manager');
    const first = await reverse({ requestKey: 'form-one' }, merchant);
    const repeatedOutcome = await reverse({ requestKey: 'form-one' }, merchant);
    await reverse({ requestKey: 'form-two' }, merchant);
    expect([first, repeatedOutcome]).toMatchObject([
      { kind: 'waiting', mailIds: [expect.any(String)] },
      { kind: 'waiting', mailIds: [] },
    ]);
    expect(await queued()).toHaveLength(1);
    if (first.kind !== 'waiting') throw new Error('it does not wait');
    const { find } = gateway.script;
    gateway.script.find = () => 'unavailable';
    expect(await decide(deps, ben, first.id, 'approve')).toMatchObject({ outcome: { kind: 'unavailable' } });
    gateway.script.find = find;
    expect(await queued()).toHaveLength(1);
    await decide(deps, ben, first.id, 'refuse');
    expect(await reverse({ requestKey: 'form-three' }, merchant)).toMatchObject({ kind: 'waiting' });
    expect(await queued()).toHaveLength(2);
  });

  it('is not queued when the refund needs no approval', async () => {
    const { hire, queued, reverse, merchant } = await makeTeamWorld();
    await hire('manager');
    expect(await reverse({ amountCents: 100 }, merchant)).toMatchObject({ kind: 'reversal' });
    expect(await queued()).toEqual([]);
  });

  it('names the requester and the page, but not the payer, invoice, amount or reason', async () => {
    const { hire, queued, reverse, merchant, deps, db } = await makeTeamWorld();
    await hire('manager');
    await db
      .update(paymentAttempts)
      .set({ payerFirstName: 'Marta', payerLastName: 'Núñez', invoiceNumber: 'INV-4711' });
    const sentMails: { to: string; subject: string; text: string; html: string }[] = [];
    const mailer = {
      send: async (mail: (typeof sentMails)[number]) => {
        sentMails.push(mail);
        return 'sent' as const;
      },
    };
    await reverse({ reason: 'Marta had no root canal' }, merchant);
    for (const { id } of await queued()) expect(await sendMail({ ...deps, mailer }, id)).toBe('sent');
    expect(sentMails).toHaveLength(1);
    const [{ subject, text, html } = { subject: '', text: '', html: '' }] = sentMails;
    expect(text).toContain('/account/approvals');
    for (const word of ['Marta', 'Núñez', 'root canal', 'INV-4711', '184', '$'])
      for (const part of [subject, text, html]) expect(part.includes(word), `${word} in ${part}`).toBe(false);
    expect(html).not.toMatch(/<img|<script|<link|src=|background=/);
  });
});
