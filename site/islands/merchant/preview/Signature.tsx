import { type Ref, type RefObject, useCallback, useEffect, useState } from 'react';
import { wordsIn } from '#shared/words/bilingual';
import { padWords } from '#shared/words/sign-words';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { type SignatureHandle, SignaturePad } from '#site/islands/ui/form/SignaturePad.tsx';
import { hasRight } from '../common/app-view.ts';
import { getSignature, removeSignature, saveSignature } from './api.ts';

/** The saved signature. `image` is null if there is none. */
type StoredSignature =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; image: string | null };
type SaveState = { kind: 'idle' | 'saving' | 'unsigned' } | { kind: 'saved' } | { kind: 'failed'; message: string };

type Invoice = {
  id: string;
  number: string;
  savedAt: string | null;
  isPaid: boolean;
  onSaved(at: string | null): void;
};

/** Loads an invoice's signature, and saves or removes it. */
export function useSignature(
  pad: RefObject<SignatureHandle | null>,
  { id, number, savedAt, isPaid, onSaved }: Invoice,
) {
  const [stored, setStored] = useState<StoredSignature>(() =>
    savedAt ? { kind: 'loading' } : { kind: 'ready', image: null },
  );
  const [saving, setSaving] = useState<SaveState>({ kind: 'idle' });
  /** True if a new signature, or the removal of the old one, is not saved yet. */
  const [isUnsaved, setUnsaved] = useState(false);

  const isLoading = stored.kind === 'loading';
  useEffect(() => {
    if (!isLoading) return;
    let isUnmounted = false;
    void getSignature(id).then((answer) => {
      if (isUnmounted) return;
      const failed = (message: string): StoredSignature => ({ kind: 'failed', message });
      setStored(answer.ok ? { kind: 'ready', image: URL.createObjectURL(answer.value) } : failed(answer.error.message));
    });
    return () => {
      isUnmounted = true;
    };
  }, [id, isLoading]);
  const load = () => setStored({ kind: 'loading' });

  const save = async () => {
    if (stored.kind !== 'ready' || saving.kind === 'saving') return;
    const image = pad.current?.takeImage() ?? null;
    if (!image && !savedAt) {
      // A paid invoice needs no signature.
      if (isPaid) return toast(`There is nothing new to save for ${number}.`);
      return setSaving({ kind: 'unsigned' });
    }
    setSaving({ kind: 'saving' });
    const isSame = image !== null && image === stored.image;
    const answer = isSame ? null : await (image ? saveSignature(id, image) : removeSignature(id));
    if (answer && !answer.ok) return setSaving({ kind: 'failed', message: answer.error.message });
    setStored({ kind: 'ready', image });
    setSaving({ kind: 'saved' });
    setUnsaved(false);
    toast(image ? `Signature saved with ${number}.` : `Signature removed from ${number}.`);
    if (answer) onSaved(answer.value.signature_saved_at);
  };
  const markChange = useCallback((hasChanges: boolean) => {
    setSaving({ kind: 'idle' });
    setUnsaved(hasChanges);
  }, []);
  const onSigned = useCallback(() => markChange(true), [markChange]);
  const onCleared = useCallback(() => markChange(savedAt !== null), [markChange, savedAt]);
  return { stored, saving, isNew: isUnsaved, load, save, onSigned, onCleared };
}

const ENGLISH_TEXTS = wordsIn(padWords, 'en');

export const SIGNATURE_ID = 'preview-signature';

type Props = { signing: ReturnType<typeof useSignature>; pad: Ref<SignatureHandle> };

export function Signature({ signing: { stored, saving, load, onSigned, onCleared }, pad }: Props) {
  if (stored.kind === 'loading') {
    return (
      <p role="status" className="app-quiet screen-only">
        Loading signature...
      </p>
    );
  }
  if (stored.kind === 'failed') {
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
        {stored.message} It is still saved with the invoice.
      </Banner>
    );
  }
  if (!hasRight('collect'))
    return stored.image ? <img className="preview-signed" src={stored.image} alt="Signature" /> : null;
  return (
    <SignaturePad
      id={SIGNATURE_ID}
      ref={pad}
      words={ENGLISH_TEXTS}
      buttons={['Clear', 'Save signature']}
      savedImage={stored.image}
      readOnly={saving.kind === 'saving'}
      error={saving.kind === 'unsigned' ? 'Sign with your finger or mouse, or type a name' : undefined}
      onSigned={onSigned}
      onCleared={onCleared}
    />
  );
}
