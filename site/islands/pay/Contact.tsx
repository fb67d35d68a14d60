import { mailHref, telHref } from '#shared/contact';
import type { PayPageFill } from './pay-view.ts';
import { usePayWords } from './words.ts';
import '#site/styles/parts/page/contact.css';

/** Whom to ask about the bill; below everything, so that the form comes first. */
export function Contact({ texts }: { texts: PayPageFill }) {
  const { form: words } = usePayWords();
  return (
    <section className="contact" aria-labelledby="pay-contact">
      <h2 className="contact-lead" id="pay-contact">
        {words.questions}
      </h2>
      {texts.phone !== null && (
        <p data-row="phone">
          <a data-href="tel" data-fill="phone" href={telHref(texts.phone)}>
            {texts.phone}
          </a>
        </p>
      )}
      {texts.email !== null && (
        <p data-row="email">
          <a data-href="mail" data-fill="email" href={mailHref(texts.email)}>
            {texts.email}
          </a>
        </p>
      )}
    </section>
  );
}
