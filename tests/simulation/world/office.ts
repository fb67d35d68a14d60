import type { Move } from './plan.ts';
import { ACCOUNT, bills } from './setting.ts';
import type { World } from './world.ts';

/** The account's other person, who approves the requests of the first one. */
const SECOND = 2;

/** Rarer deeds of staff: they start and end installments of an invoice, and approve one another's refunds. */
export function officeOf(world: World) {
  const { product, story, database } = world;
  const { merchant } = world.standing;
  const second = { ...merchant, userId: SECOND };
  const who = 'staff';

  const kindOf = (answer: unknown): string =>
    answer instanceof Error ? answer.message : ((answer as { kind?: string } | null)?.kind ?? 'done');

  /** `feature`: the feature that is reached if the response is of this kind. */
  const say = (what: string, invoiceId: string, came: { kind: string; feature: string }) => (answer: unknown) => {
    const kind = kindOf(answer);
    story.note(who, `is told about ${what}: ${kind}`);
    if (kind === came.kind) story.feature(came.feature, invoiceId);
  };

  return {
    'open-parts'({ bill, form }: Move, name: string) {
      const { invoiceId = '' } = bills[bill] ?? {};
      const minCents = [100, 500, 2_500][Number(form) % 3] ?? 100;
      story.note(who, `lets ${invoiceId} be paid in installments of at least ${minCents} cents`);
      world.ask(
        name,
        (deps) => product.openParts(deps, merchant, invoiceId, { minCents, deposit: null }),
        say('the installments', invoiceId, { kind: 'opened', feature: 'installments opened' }),
      );
    },

    'close-parts'({ bill }: Move, name: string) {
      const { invoiceId = '' } = bills[bill] ?? {};
      story.note(who, `ends the installments of ${invoiceId}`);
      world.ask(
        name,
        (deps) => product.closeParts(deps, merchant, invoiceId),
        say('the end of the installments', invoiceId, { kind: 'closed', feature: 'installments closed' }),
      );
    },

    approve({ bill, isNamed }: Move, name: string) {
      const { invoiceId = '' } = bills[bill] ?? {};
      const [waiting] = database.read<{ id: string }>(
        `SELECT p.id FROM approvals p JOIN payment_attempts a ON a.id = p.attempt_id
          WHERE p.state = 'waiting' AND a.invoice_id = ? ORDER BY p.requested_at`,
        invoiceId,
      );
      if (!waiting) return;
      const decision = isNamed ? 'approve' : 'refuse';
      story.note('the second person', `decides: ${decision}`);
      world.ask(
        name,
        (deps) => product.decideApproval(deps, second, waiting.id, decision),
        say('the approval', invoiceId, {
          kind: decision === 'approve' ? 'approved' : 'refused',
          feature: 'second person',
        }),
      );
    },
  };
}

/** Refunds above this amount (cents) need a second person. */
const ABOVE_CENTS = 2_000;

/** Requires a second person, as an administrator would set it before the first move. */
export function addSecondPerson({ database, engine, story }: World): void {
  story.note('staff', `has a second person approve what is above ${ABOVE_CENTS} cents`);
  database.storage.sql.exec('UPDATE accounts SET second_person_cents = ?', ABOVE_CENTS);
  database.storage.sql.exec(
    `INSERT INTO users (account_id, user_id, email, last_login_at, crm_user_id, role)
      VALUES (?1, ?2, 'second@clinic.example', ?3, 12, 'manager')`,
    ...[ACCOUNT, SECOND, engine.now()],
  );
}

/** Allows staff to open invoices in installments, and sets the clinic's time zone. */
export function prepareOffice({ database }: World, timeZone: string): void {
  database.storage.sql.exec('UPDATE accounts SET takes_installments = 1, time_zone = ?', timeZone);
}

const WRITE_SCOPES = ['crm.objects.commercepayments.read', 'crm.objects.commercepayments.write'];

/** Turns on recording payments in the CRM, as staff would. */
export function recordInCrm({ database, crm, story }: World): void {
  story.note('staff', 'has payments recorded in the CRM');
  crm.grant(ACCOUNT, WRITE_SCOPES);
  database.storage.sql.exec("UPDATE crm_tokens SET scopes = scopes || ' ' || ?", WRITE_SCOPES.join(' '));
  database.storage.sql.exec(
    'INSERT INTO crm_write_settings (account_id, is_on, changed_by, changed_at) VALUES (?, 1, 1, 0)',
    ACCOUNT,
  );
}
