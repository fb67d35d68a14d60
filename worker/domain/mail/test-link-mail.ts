import { operator } from '#shared/operator';
import type { OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { type Composed, note } from './letter.ts';
import { owedPayLink } from './pay-link-mail.ts';

const WHY = `You asked ${operator.name} for this test. Below it is what your customer would get.`;
const REAL =
  'The link is a real one: a payment charges the card and marks the invoice as paid. Void the payment under Batches afterwards, and nothing is charged.';

/** A pay link for staff, who want to see what a customer gets. Null as for that mail. */
export async function testLinkMail(owed: OwedMail, deps: Deps): Promise<Composed> {
  const letter = await owedPayLink(owed, deps, [note(WHY), note(REAL)]);
  if (!letter || 'later' in letter) return letter;
  return { ...letter, subject: `Test: ${letter.subject}`, text: [WHY, REAL, '', letter.text].join('\n') };
}
