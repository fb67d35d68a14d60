import { wordsIn } from '#shared/words/both';
import { htmlLang, inLanguage, type Language, otherLanguage } from '#shared/words/language';
import { mailWords } from '#shared/words/mail-words';
import { html, type Markup } from './letter.ts';

type Offer = 'otherPay' | 'otherReceipt';

/** The one line of a payer's mail that offers its page in the other language, in the words of that one. */
export function otherLanguageLine(language: Language, offer: Offer, address: string): { text: string; html: Markup } {
  const other = otherLanguage(language);
  const words = wordsIn(mailWords, other)[offer];
  const [page = ''] = address.split('?');
  const there = inLanguage(page, other);
  return {
    text: `${words}: ${there}`,
    html: html`<p lang="${htmlLang[other]}" style="margin:12px 0 0;font-size:14px"><a href="${there}" style="color:#095e45">${words}</a></p>
`,
  };
}
