import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { findSetup, findUsersByEmail } from '#worker/data/content/accounts/accounts';
import { listArticles } from '#worker/data/content/articles/articles';
import { siteState } from '#worker/data/schema/content';
import type { Deps } from '#worker/deps';
import { register } from '#worker/domain/content/accounts/register';
import { saveArticle } from '#worker/domain/content/articles/save';
import type { Local } from '../settings.ts';
import { accessibilityReport } from './accessibility-report.ts';

export type SeedArticle = { kind: ArticleKind; title: string; slug: string; status: ArticleStatus; content: string };

/** Articles of a fresh local site, as a payment company for clinics would write them, oldest first. */
export const articles: SeedArticle[] = [
  {
    kind: 'page',
    title: 'About us',
    slug: 'about-us',
    status: 'PUBLISHED',
    content: `<p>Tillway began at the front desk of a dental office, where one person answered the phone, greeted patients and typed card numbers from voicemail into a terminal. The invoices were already in the CRM. Only the payment was not.</p>
<h2>What we do</h2>
<p>We put a payment link on every open invoice. The patient opens it on whatever device is at hand, sees what is left to pay and until when, signs, and pays. In Tillway the invoice then stands as <em>paid</em>; nobody at the front desk has to mark it.</p>
<h2>What we do not do</h2>
<ul><li><p>We add no fee of our own to an invoice.</p></li><li><p>We never see a card number: it goes from the browser straight to the card provider.</p></li><li><p>We change nothing in your CRM. It stays yours, and we only read it.</p></li></ul>`,
  },
  {
    kind: 'page',
    title: 'Security',
    slug: 'security',
    status: 'PUBLISHED',
    content: `<p>A payment page is asked for trust by people who have never heard of the company behind it. Here is what we do to deserve it.</p>
<h2>Card numbers</h2>
<p>The card fields on our pay page belong to the card provider and are loaded from its servers. What you type there never passes through ours. We get a token that can be used once.</p>
<h2>One invoice, one charge</h2>
<p>Each invoice can be charged once. If the answer of the card network is lost on the way, we ask again what happened before anybody can pay a second time, and the page tells the payer so.</p>
<h2>Links</h2>
<p>A payment link is a long random address. It cannot be guessed, it ends, and a clinic can replace it at any time.</p>
<blockquote><p>If you find a weakness, write to our support address. We are grateful.</p></blockquote>`,
  },
  {
    kind: 'page',
    title: 'Accessibility',
    slug: 'accessibility',
    status: 'PUBLISHED',
    content: `<p>Everybody gets invoices. Our pay page is built so that everybody can pay them.</p>
<ul><li><p>Every step works with a keyboard alone, the signature too: a typed name makes the same signature.</p></li><li><p>Texts keep a contrast of at least 4.5 to 1, in the light theme and in the dark one.</p></li><li><p>Errors are said in words, next to the field and at the top of the form.</p></li><li><p>Nothing blinks, and what moves stops when your system asks for less motion.</p></li></ul>
<p>If something keeps you from paying, call the number on the page.</p>
${accessibilityReport}`,
  },
  {
    kind: 'post',
    title: 'Why patients pay late, and what a reminder should say',
    slug: 'why-patients-pay-late',
    status: 'PUBLISHED',
    content: `<p>Ask a front desk why invoices stay open and you will hear that patients forget. Ask the patients and you will hear something else: they meant to pay, but the bill came as a letter, the office was closed, and the portal wanted a password they did not have.</p>
<h2>Three small obstacles</h2>
<ol><li data-list-type="ordered" data-label="1."><p><strong>The amount is a surprise.</strong> Whoever was not told a number at the visit opens the bill with suspicion and puts it aside to ask about it later.</p></li><li data-list-type="ordered" data-label="2."><p><strong>The way is long.</strong> Each step between reading a bill and paying it loses people: a login, an account number, a form that forgets what was typed.</p></li><li data-list-type="ordered" data-label="3."><p><strong>The moment is wrong.</strong> Bills are read in the evening. Offices answer the phone in the morning.</p></li></ol>
<h2>What works</h2>
<p>Say the amount before the patient leaves. Send the link the same day, while the visit is remembered. In a reminder, name the visit and the sum in the first line, and put the link directly below it. Leave out the warnings: most people who are late are not unwilling.</p>
<p>And keep the sentence short. <em>“Your visit on March 4, $184.00, can be paid here”</em> does more than three polite paragraphs.</p>`,
  },
  {
    kind: 'post',
    title: 'Card or bank debit? What each costs a clinic, and when it arrives',
    slug: 'card-or-bank-debit',
    status: 'PUBLISHED',
    content: `<p>Most practices take cards because everybody has one. For larger invoices a bank debit is worth a second look. The two differ in three ways that matter at the end of the month.</p>
<table><tbody><tr><th><p></p></th><th><p>Card</p></th><th><p>Bank debit (ACH)</p></th></tr><tr><td><p>When you know</p></td><td><p>Within seconds</p></td><td><p>After three to five banking days</p></td></tr><tr><td><p>What it costs</p></td><td><p>A share of the amount</p></td><td><p>Usually a fixed sum</p></td></tr><tr><td><p>What can still happen</p></td><td><p>A dispute, for months</p></td><td><p>A return, mostly within days</p></td></tr></tbody></table>
<h2>Submitted is not paid</h2>
<p>A debit that was accepted is only on its way. That is why our pay page says <em>Payment submitted</em> and not that the payment succeeded, and why the invoice stays marked as submitted until the bank has settled it. Your books and ours should never say more than the bank does.</p>
<h2>A rule of thumb</h2>
<p>Under a few hundred dollars, take the card: the certainty is worth the fee. Above that, offer both and let the payer choose. People with a large bill are often glad to pay from their account.</p>`,
  },
  {
    kind: 'post',
    title: 'Closing the day: a batch routine for a busy front desk',
    slug: 'closing-the-day',
    status: 'PUBLISHED',
    content: `<p>A batch is the day’s card payments of one terminal, waiting to be settled together. Closing it is a small act with a large effect: what is not closed is not paid out.</p>
<h2>Five minutes before the lights go out</h2>
<ul><li data-item-type="task" data-checked="false"><p>Look at the open batch of each terminal: does the number of sales match the day?</p></li><li data-item-type="task" data-checked="false"><p>Check the refunds by name. A refund that nobody remembers is easiest to explain today.</p></li><li data-item-type="task" data-checked="false"><p>Close the batch once and wait for the confirmation code.</p></li><li data-item-type="task" data-checked="false"><p>Note the net amount where your bookkeeping looks for it.</p></li></ul>
<h2>If the answer does not come</h2>
<p>Do not press the button again in a hurry. Tillway first asks the gateway whether the batch was closed, because a second close would close tomorrow’s. If it says that there is no open batch, the first click did its work.</p>
<p>Clinics that close every evening find their bank statement in the same order as their appointment book.</p>`,
  },
  {
    kind: 'post',
    title: 'What a signature on a payment is good for',
    slug: 'what-a-signature-is-good-for',
    status: 'PUBLISHED',
    content: `<p>Card networks stopped asking for signatures at the counter years ago. Why do we still ask for one on the pay page?</p>
<p>Because of the question that comes three months later: <em>“Was this you?”</em> A payment made from a link has no counter and no witness. A signature, the time and the invoice that it belongs to tell a story that a bank can follow.</p>
<h2>It need not be beautiful</h2>
<p>A signature drawn with a finger looks like nobody’s signature. That is fine. It stands for the moment in which somebody decided to pay, not for a specimen in a vault. Whoever cannot draw types a name instead, and it counts the same.</p>
<h2>What we keep</h2>
<p>The image lies beside the payment and nowhere else. It is shown on the receipt, which only its own secret address opens, and is never sent by mail.</p>`,
  },
  {
    kind: 'post',
    title: 'Draft: payment plans, the questions we hear most',
    slug: 'payment-plans',
    status: 'DRAFT',
    content: `<p>Notes for an article about paying in parts: who offers it, what has to be in writing, and what happens when a part is late.</p>`,
  },
];

/** The time between two seeded articles. */
const INTERVAL_MS = 9 * 86_400_000;

/**
 * Creates the content area's owner, with the set-up code like any first owner, and the first articles of the site.
 * Later starts leave both unchanged.
 */
export async function seedContent(deps: Deps, owner: Local['owner']): Promise<void> {
  const hasOwner = await findSetup(deps.db);
  if (!hasOwner) {
    const { OWNER_SETUP_CODE: setupCode } = deps.settings;
    const outcome = await register(deps, { name: 'Local Owner', ...owner }, { setupCode }, { clientIp: null });
    if (outcome.kind !== 'registered')
      throw new Error(`the owner of the content area was not created: ${outcome.kind}`);
  }
  const state = await deps.db.select().from(siteState).get();
  const hasArticles = state === undefined || state.revision > 0 || (await countOf(deps)) > 0;
  if (!hasArticles) await writeArticles(deps, owner.email);
}

async function countOf(deps: Deps): Promise<number> {
  const query = { sort: { field: 'title', isDescending: false }, page: 1, size: 1, withContent: false } as const;
  const [posts, pages] = await Promise.all([
    listArticles(deps.db, { kind: 'post', ...query }),
    listArticles(deps.db, { kind: 'page', ...query }),
  ]);
  return posts.total + pages.total;
}

async function writeArticles(deps: Deps, email: string): Promise<void> {
  const [user] = await findUsersByEmail(deps.db, email);
  if (!user) throw new Error('the owner of the content area is missing');
  const start = deps.now() - articles.length * INTERVAL_MS;
  for (const [at, { kind, ...text }] of articles.entries()) {
    const pastDeps = { ...deps, now: () => start + at * INTERVAL_MS };
    const outcome = await saveArticle(pastDeps, { secondAt: null, sessionId: '', user }, { kind, id: null }, text);
    if (outcome.kind !== 'saved') throw new Error(`the article ${text.slug} was not written: ${outcome.kind}`);
  }
}
