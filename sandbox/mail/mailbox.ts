import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { z } from 'zod';
import { page } from '../pages/page.ts';
import type { SandboxEnv, World } from '../world.ts';

export type StoredMail = {
  seq: number;
  id: string;
  at_ms: number;
  sender: string;
  recipients: string;
  subject: string;
  text: string;
  html: string;
  reply_to: string;
};

const COLUMNS = 'seq, id, at_ms, sender, recipients, subject, text, html, reply_to';

export const findMail = (world: World, id: string) =>
  world.store.get<StoredMail>(`SELECT ${COLUMNS} FROM mails WHERE id = ?`, id);

/** Lists emails, oldest first. `to` selects those to one address, with or without a display name. */
export function listMail(world: World, to?: string): StoredMail[] {
  const allMail = world.store.all<StoredMail>(`SELECT ${COLUMNS} FROM mails ORDER BY seq`);
  if (!to) return allMail;
  const bareAddress = (address: string) => (/<([^>]+)>/.exec(address)?.[1] ?? address).trim().toLowerCase();
  return allMail.filter((mail) => recipientsOf(mail).some((address) => bareAddress(address) === bareAddress(to)));
}

export const recipientsOf = (mail: StoredMail): string[] => z.array(z.string()).parse(JSON.parse(mail.recipients));

/** Stored emails are shown in a frame without scripts; links open in a new tab. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'";

const formatSentTime = (mail: StoredMail) => `${new Date(mail.at_ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const mailRow = (mail: StoredMail) => html`<tr>
  <td><a href="/mail/${mail.id}">${mail.subject || '(no subject)'}</a></td>
  <td>${recipientsOf(mail).join(', ')}</td>
  <td><time>${formatSentTime(mail)}</time></td>
</tr>`;

/** Makes the links in plain text clickable. The template escapes everything. */
function withLinks(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : part,
    );
}

export function mailboxRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();

  app.get('/mail', (c) => {
    const to = c.req.query('to') ?? '';
    const shownMail = listMail(world, to).reverse().slice(0, 500);
    return c.html(
      page(
        'Mailbox',
        html`<p>Every mail that the product or the card provider sent. Nothing here left this machine.</p>
          <form method="get" action="/mail"><label for="to">Sent to</label> <input id="to" name="to" type="email" value="${to}" /> <button>Show</button></form>
          ${
            shownMail.length === 0
              ? html`<p class="empty">No mail${to ? ` to ${to}` : ' yet'}.</p>`
              : html`<table><thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col">Sent</th></tr></thead><tbody>${shownMail.map(mailRow)}</tbody></table>`
          }`,
      ),
    );
  });

  app.get('/mail/:id', (c) => {
    const mail = findMail(world, c.req.param('id'));
    if (!mail)
      return c.html(
        page(
          'No such mail',
          html`<p>This mail does not exist. It may be from before a reset.</p><p><a href="/mail">All mail</a></p>`,
        ),
        404,
      );
    return c.html(
      page(
        mail.subject || '(no subject)',
        html`<p><a href="/mail">All mail</a></p>
          <dl><dt>From</dt><dd>${mail.sender}</dd>${mail.reply_to ? html`<dt>Reply to</dt><dd>${mail.reply_to}</dd>` : ''}<dt>To</dt><dd>${recipientsOf(mail).join(', ')}</dd><dt>Sent</dt><dd>${formatSentTime(mail)}</dd></dl>
          ${mail.html ? html`<h2>As HTML</h2><iframe title="The mail as HTML" src="/mail/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>` : ''}
          ${mail.text ? html`<h2>As text</h2><pre>${withLinks(mail.text)}</pre>` : ''}`,
      ),
    );
  });

  app.get('/mail/:id/html', (c) => {
    const mail = findMail(world, c.req.param('id'));
    if (!mail) return c.notFound();
    return c.html(html`<base target="_blank" />${raw(mail.html)}`, 200, { 'content-security-policy': MAIL_POLICY });
  });
  return app;
}
