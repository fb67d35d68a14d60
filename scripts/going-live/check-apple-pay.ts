import * as z from 'zod/mini';
import { domainAssociationPath } from '#shared/paths';
import { type Finding, notChecked, ok, wrong } from './finding.ts';
import type { Ask } from './remote-database.ts';

/** The file without which Apple registers no clinic (null: no response). */
export function domainFileFinding(answer: Response | null): Finding {
  const label = 'file for Apple Pay';
  if (answer?.ok) return ok(label, domainAssociationPath);
  if (answer?.status === 404)
    return notChecked(label, 'there is none, so no clinic can accept Apple Pay; docs/deploy.md says how to get it');
  return wrong(label, `${domainAssociationPath} answers ${answer?.status ?? 'nothing'}`);
}

const Pending = z.array(z.object({ account: z.nullable(z.number()) }));

/** Clinics that accept Apple Pay although their host is not registered, as they report it to the directory. */
export async function checkRegistrations(ask: Ask): Promise<Finding[]> {
  const label = 'clinics with Apple Pay';
  try {
    const clinics = Pending.parse(
      await ask('SELECT account FROM clinics WHERE erased_at IS NULL AND apple_pay_pending = 1 ORDER BY account'),
    );
    if (clinics.length === 0) return [ok(label, 'the host is registered for each')];
    const accounts = clinics.map(({ account }) => account).join(', ');
    return [wrong(label, `not registered for ${accounts}; Account, Payments settings shows the reason`)];
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
    return [notChecked(label, `the installation’s database did not answer: ${reason.slice(0, 200)}`)];
  }
}
