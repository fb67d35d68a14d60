import { useEffect, useRef, useState } from 'react';
import { merchantLimits } from '#shared/limits';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { FieldError } from '#site/islands/ui/form/Field.tsx';
import { saveFooterText } from './api.ts';
import '#site/styles/parts/form/field.css';

type Props = { text: string; canEdit: boolean; onSaved(text: string): void };

/** The text at the bottom of every printed invoice. Account administrators can change it here. */
export function FooterText({ text, canEdit, onSaved }: Props) {
  const [isOpen, setOpen] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    // The button reappears only in the next frame.
    requestAnimationFrame(() => editButton.current?.focus());
  };
  if (isOpen) {
    return (
      <FooterForm
        text={text}
        onCancel={close}
        onSaved={(saved) => {
          onSaved(saved);
          toast('Footer text saved.');
          close();
        }}
      />
    );
  }
  return (
    <div className="preview-footer">
      {text && <p>{text}</p>}
      {canEdit && (
        <button type="button" className="text-button screen-only" ref={editButton} onClick={() => setOpen(true)}>
          {text ? 'Edit footer text' : 'Add a footer text'}
        </button>
      )}
    </div>
  );
}

type FormProps = { text: string; onCancel(): void; onSaved(text: string): void };

function FooterForm({ text, onCancel, onSaved }: FormProps) {
  const [draft, setDraft] = useState(text);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const textArea = useRef<HTMLTextAreaElement>(null);
  useEffect(() => textArea.current?.focus(), []);

  const save = async () => {
    setSaving(true);
    setError(undefined);
    const answer = await saveFooterText(draft.trim());
    setSaving(false);
    if (answer.ok) return onSaved(answer.value);
    setError(answer.error.message);
    textArea.current?.focus();
  };
  return (
    <form
      className="preview-footer screen-only"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSaving) void save();
      }}
    >
      <div className="field">
        <label className="label" htmlFor="footer-text">
          Footer text
        </label>
        <span className="hint" id="footer-text-hint">
          Printed under every invoice. Leave it empty to use the standard text.
        </span>
        <textarea
          id="footer-text"
          className="input input-tall"
          rows={4}
          maxLength={merchantLimits.footer}
          ref={textArea}
          value={draft}
          readOnly={isSaving}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'footer-text-hint footer-text-error' : 'footer-text-hint'}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        />
        <FieldError id="footer-text-error" text={error} />
      </div>
      <div className="preview-buttons">
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" type="submit" busy={isSaving}>
          Save footer text
        </Button>
      </div>
    </form>
  );
}
