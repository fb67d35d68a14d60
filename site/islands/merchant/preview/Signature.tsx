import type { Ref } from 'react';
import { wordsIn } from '#shared/words/both';
import { padWords } from '#shared/words/sign-words';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { type SignatureHandle, SignaturePad } from '#site/islands/ui/form/SignaturePad.tsx';
import { may } from '../parts/app-view.ts';
import type { useSignature } from './use-signature.ts';

const ENGLISH = wordsIn(padWords, 'en');

export const SIGNATURE_ID = 'preview-signature';

type Props = { signing: ReturnType<typeof useSignature>; pad: Ref<SignatureHandle> };

export function Signature({ signing: { kept, saving, load, onSigned, onCleared }, pad }: Props) {
  if (kept.kind === 'loading') {
    return (
      <p role="status" className="app-quiet screen-only">
        Loading signature...
      </p>
    );
  }
  if (kept.kind === 'failed') {
    return (
      <Banner
        tone="warn"
        lead="The signature could not be loaded."
        actions={
          <button type="button" className="text-button" onClick={load}>
            Retry
          </button>
        }
      >
        {kept.message} It is still kept with the invoice.
      </Banner>
    );
  }
  if (!may('collect')) return kept.image ? <img className="preview-signed" src={kept.image} alt="Signature" /> : null;
  return (
    <SignaturePad
      id={SIGNATURE_ID}
      ref={pad}
      words={ENGLISH}
      buttons={['Clear', 'Save signature']}
      kept={kept.image}
      readOnly={saving.kind === 'saving'}
      error={saving.kind === 'unsigned' ? 'Sign with your finger or mouse, or type a name' : undefined}
      onSigned={onSigned}
      onCleared={onCleared}
    />
  );
}
