import type { Move } from './plan.ts';
import { ACCOUNT, bills } from './setting.ts';
import type { World } from './world.ts';

/** User id of the second person, who approves the requests of the first. */
const SECOND = 2;

/** Less common acts of staff: opening and closing installments, and approving each other's refunds. */
export function officeOf(world: World) {
  const { product, story, database } = world;
  const { merchant } = world.initialRecords;
  const second = { ...merchant, userId: SECOND };
  const actor = 'staff';

  const kindOf = (answer: unknown): string =>
    answer instanceof Error ? answer.message : ((answer as { kind?: string } | null)?.kind ?? 'done');

  /** `expected`: the feature that is reached if the response is of this kind. */
  const noteAnswer =
    (topic: string, invoiceId: string, expected: { kind: string; feature: string }) => (answer: unknown) => {
      const kind = kindOf(answer);
      story.note(actor, `is told about ${topic}: ${kind}`);
      if (kind === expected.kind) story.feature(expected.feature, invoiceId);
    };

  return {
    'open-parts'({ bill, form }: Move, name: string) {
      const { invoiceId = '' } = bills[bill] ?? {};
      const minCents = [100, 500, 2_500][Number(form) % 3] ?? 100;
      story.note(actor, `lets ${invoiceId} be paid in installments of at least ${minCents} cents`);
      world.ask(
        name,
        (deps) => product.openParts(deps, merchant, invoiceId, { minCents, deposit: null }),
        noteAnswer('the installments', invoiceId, { kind: 'opened', feature: 'installments opened' }),
      );
    },

    'close-parts'({ bill }: Move, name: string) {
      const { invoiceId = '' } = bills[bill] ?? {};
      story.note(actor, `ends the installments of ${invoiceId}`);
      world.ask(
        name,
        (deps) => product.closeParts(deps, merchant, invoiceId),
        noteAnswer('the end of the installments', invoiceId, { kind: 'closed', feature: 'installments closed' }),
      );
    },

    approve({ bill, isNamed }: Move, name: string) {
      const { invoiceId = '' } = bills[bill] ?? {};
      const [approval] = database.read<{ id: string }>(
        `SELECT p.id FROM approvals p JOIN payment_attempts a ON a.id = p.attempt_id
          WHERE p.state = 'waiting' AND a.invoice_id = ? ORDER BY p.requested_at`,
        invoiceId,
      );
      if (!approval) return;
      const decision = isNamed ? 'approve' : 'refuse';
      story.note('the second person', `decides: ${decision}`);
      world.ask(
        name,
        (deps) => product.decideApproval(deps, second, approval.id, decision),
        noteAnswer('the approval', invoiceId, {
          kind: decision === 'approve' ? 'approved' : 'refused',
          feature: 'second person',
        }),
      );
    },
  };
}

/** Refunds above this amount (cents) need a second person. */
const APPROVAL_LIMIT_CENTS = 2_000;

/** Requires a second person, as an administrator would set it before the first move. */
export function addSecondPerson({ database, engine, story }: World): void {
  story.note('staff', `has a second person approve what is above ${APPROVAL_LIMIT_CENTS} cents`);
  database.storage.sql.exec('UPDATE accounts SET second_person_cents = ?', APPROVAL_LIMIT_CENTS);
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
