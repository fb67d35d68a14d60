import { operator } from '#shared/operator';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import { html, type Letter, link, note, sheet } from './letter.ts';

/** Alerts for the operator: one, or all of a day. */
export function alertMail({ mail }: OwedMail): Letter {
  const { text = '', page = '', events = '' } = detailsOf(mail);
  const lines = text.split('\n');
  const [first = ''] = lines;
  const sections = `What each means and what to do: docs/runbook.md, ${events.split(' ').join(', ')}.`;
  return {
    subject:
      lines.length > 1
        ? `${operator.name}: ${lines.length} things to look at`
        : `${operator.name}: ${first.split(' (')[0]}`,
    text: [...lines, '', sections, page, ''].join('\n'),
    html: sheet(
      'Please look at this',
      ...lines.map((line) => html`<p style="margin:0 0 12px">${line}</p>`),
      link(page, 'Open the page of alerts'),
      note(sections),
    ),
  };
}
