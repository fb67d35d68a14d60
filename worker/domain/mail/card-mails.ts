import { cardPath } from '#shared/paths';
import { fill, wordsIn } from '#shared/words/bilingual';
import { dayIn } from '#shared/words/formats';
import { type Language, withNonDefaultLanguage } from '#shared/words/language';
import { cardMailWords } from '#shared/words/stored-card-words';
import type { NewMail, QueuedMail } from '#worker/data/mail/outbox';
import { findAttempt } from '#worker/data/payments/attempts';
import type { StoredCard } from '#worker/data/schema/schema';
import { findStoredCard } from '#worker/data/stored-cards/stored-cards';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { contactOf, type Letter, link, note, oneLine, senderBlock, sheetIn } from './letter.ts';
import { payerLanguage } from './payer-language.ts';
import { cardText } from './receipt.ts';

/** Card in a sentence: "VISA •••• 1111". */
const nameOf = ({ brand, lastFour }: StoredCard) => cardText({ cardBrand: brand, cardLastFour: lastFour });

/** "2029-04" as 04/2029. */
export const monthText = (expiresOn: string): string => expiresOn.split('-').reverse().join('/');

/** An email to the payer about a stored card, to queue. Null if the card has no address. */
export async function cardMail(
  { db }: Pick<Deps, 'db'>,
  card: StoredCard,
  kind: 'card-expiring' | 'card-removed',
): Promise<NewMail | null> {
  if (card.email === '') return null;
  const payment = await findAttempt(db, card.id);
  return {
    id: `${kind}-${card.id}${kind === 'card-expiring' ? `-${card.expiresOn}` : ''}`,
    kind,
    recipient: card.email,
    accountId: card.accountId,
    // After a restore, the payment that stored the card may be missing.
    ...(payment && { attemptId: payment.id, invoiceId: payment.invoiceId }),
    details: { card: card.id },
  };
}

/** The address of the page on which a payer removes a card. */
export const removeAddress = (appUrl: string, { removeKey }: StoredCard, language: Language): string =>
  withNonDefaultLanguage(`${appUrl}${cardPath(removeKey)}`, language);

type CardLetter = { subject: string; sentences: string[]; removal?: { address: string; words: string } };

async function composeCardMail(
  queuedMail: QueuedMail,
  deps: Deps,
  write: (card: StoredCard, business: string, language: Language) => CardLetter | null,
): Promise<Letter | null> {
  const { mail, account, merchant } = queuedMail;
  const details: { card?: string } = JSON.parse(mail.details);
  const card = account && details.card ? await findStoredCard(deps.db, account.accountId, details.card) : undefined;
  if (!account || !card) return null;
  const language = await payerLanguage(deps.db, queuedMail);
  const business = oneLine(businessName(account, merchant));
  const letter = write(card, business, language);
  if (!letter) return null;
  const { subject, sentences, removal } = letter;
  const contact = contactOf(account);
  return {
    subject,
    text: [
      business,
      contact,
      '',
      ...sentences.flatMap((sentence) => [sentence, '']),
      ...(removal ? [`${removal.words}: ${removal.address}`, ''] : []),
    ].join('\n'),
    html: sheetIn(language)(
      subject,
      senderBlock(business, contact),
      ...sentences.map(note),
      ...(removal ? [link(removal.address, removal.words)] : []),
    ),
  };
}

/** Composes the email about a card that expires soon. Null if the card has ended since, or has a new expiry. */
export const composeCardExpiring = (queuedMail: QueuedMail, deps: Deps): Promise<Letter | null> =>
  composeCardMail(queuedMail, deps, (card, business, language) => {
    if (card.endedAt !== null || !queuedMail.mail.id.endsWith(card.expiresOn)) return null;
    const words = wordsIn(cardMailWords, language);
    return {
      subject: fill(words.expiresSoon, { business }),
      sentences: [
        fill(words.expiring, { business, card: nameOf(card), month: monthText(card.expiresOn) }),
        fill(words.nothingToDo, { business }),
      ],
      removal: { address: removeAddress(deps.settings.APP_URL, card, language), words: words.remove },
    };
  });

/** Composes the confirmation that a card was removed. */
export const composeCardRemoved = (queuedMail: QueuedMail, deps: Deps): Promise<Letter | null> =>
  composeCardMail(queuedMail, deps, (card, business, language) => {
    const words = wordsIn(cardMailWords, language);
    const timeZone = queuedMail.account?.timeZone ?? 'UTC';
    return {
      subject: fill(words.wasRemovedAt, { business }),
      sentences: [
        fill(words.wasRemoved, {
          business,
          card: nameOf(card),
          d: dayIn(language, card.endedAt ?? deps.now(), timeZone),
        }),
      ],
    };
  });
