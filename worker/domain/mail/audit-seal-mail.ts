import { operator } from '#shared/operator';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { type Fact, html, type Letter, lines, link, note, oneLine, sheet, table } from './letter.ts';

/** The newest seal of an account's audit trail, for an administrator who asked for it. Null: the account is gone. */
export function auditSealMail({ mail, account }: OwedMail, { settings }: Pick<Deps, 'settings'>): Letter | null {
  if (!account) return null;
  const { seq = '0', hash = '', at = '', verified = '0', problem = '' } = detailsOf(mail);
  const business = oneLine(account.name);
  const what = `This is the newest seal of the audit trail of ${business}. Keep this mail: the trail is tamper-evident, and whoever rewrites it later cannot rewrite what you keep.`;
  const facts: Fact[] = [
    ['Event', seq],
    ['Events sealed', seq],
    ['Sealed at', at || 'nothing is sealed yet'],
    ['Hash', hash || 'none'],
    ['Verified to event', verified],
  ];
  const broken = problem && `The trail does not agree with its seals. ${oneLine(problem)} Please tell us.`;
  const address = `${settings.APP_URL}/audit`;
  const stop = 'You get this mail once a week because you switched it on. Switch it off on the same page.';
  const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
  return {
    subject: broken ? `Audit trail of ${business}: please look at it` : `Audit trail of ${business}: event ${seq}`,
    text: [what, '', ...(broken ? [broken, ''] : []), ...lines(facts), '', address, '', stop, '', contact, ''].join(
      '\n',
    ),
    html: sheet(
      'Audit trail',
      html`<p style="margin:0 0 12px">${what}</p>`,
      ...(broken ? [html`<p style="margin:0 0 12px;font-weight:600">${broken}</p>`] : []),
      table(facts.map(([label, value]): Fact => [label, oneLine(value)])),
      link(address, 'Open the audit trail'),
      note(stop),
      note(contact),
    ),
  };
}
