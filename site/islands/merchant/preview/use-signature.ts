import { type RefObject, useCallback, useEffect, useState } from 'react';
import { toast } from '../../ui/feedback/toast.ts';
import type { SignatureHandle } from '../../ui/form/SignaturePad.tsx';
import { dropSignature, getSignature, keepSignature } from './api.ts';

/** The saved image; `null`: there is none. */
type Kept = { kind: 'loading' } | { kind: 'failed'; message: string } | { kind: 'ready'; image: string | null };
type Saving = { kind: 'idle' | 'saving' | 'unsigned' } | { kind: 'saved' } | { kind: 'failed'; message: string };

type Invoice = { id: string; number: string; savedAt: string | null; onSaved(at: string | null): void };

/** Loads an invoice's signature, and saves or removes it with the invoice. */
export function useSignature(pad: RefObject<SignatureHandle | null>, { id, number, savedAt, onSaved }: Invoice) {
  const [kept, setKept] = useState<Kept>(() => (savedAt ? { kind: 'loading' } : { kind: 'ready', image: null }));
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });

  const isLoading = kept.kind === 'loading';
  useEffect(() => {
    if (!isLoading) return;
    let isGone = false;
    void getSignature(id).then((answer) => {
      if (isGone) return;
      const failed = (message: string): Kept => ({ kind: 'failed', message });
      setKept(answer.ok ? { kind: 'ready', image: URL.createObjectURL(answer.value) } : failed(answer.error.message));
    });
    return () => {
      isGone = true;
    };
  }, [id, isLoading]);
  const load = () => setKept({ kind: 'loading' });

  const save = async () => {
    if (kept.kind !== 'ready' || saving.kind === 'saving') return;
    const image = pad.current?.take() ?? null;
    if (!image && !savedAt) return setSaving({ kind: 'unsigned' });
    setSaving({ kind: 'saving' });
    const isSame = image !== null && image === kept.image;
    const answer = isSame ? null : await (image ? keepSignature(id, image) : dropSignature(id));
    if (answer && !answer.ok) return setSaving({ kind: 'failed', message: answer.error.message });
    setKept({ kind: 'ready', image });
    setSaving({ kind: 'saved' });
    toast(image ? `Signature saved with ${number}.` : `Signature removed from ${number}.`);
    if (answer) onSaved(answer.value.signature_saved_at);
  };
  const forget = useCallback(() => setSaving({ kind: 'idle' }), []);
  return { kept, saving, load, save, forget };
}
