import type { Ref } from 'react';
import { usableSlug } from '#shared/article/slug';
import type { ArticleKind } from '#shared/contracts/content/content';
import { contentLimits } from '#shared/limits';
import { articlePath } from '#shared/paths';
import { Field } from '#site/islands/ui/form/Field.tsx';

type Props = {
  kind: ArticleKind;
  slug: string;
  title: string;
  error: string | undefined;
  /** Gets the focus when the address is refused. */
  field: Ref<HTMLInputElement>;
  onSlug(slug: string): void;
  onLeave(): void;
};

/** The article's address; if left empty, it is made from the title. */
export function AddressPanel({ kind, slug, title, error, field, onSlug, onLeave }: Props) {
  const made = usableSlug(title, kind);
  return (
    <section className="card editor-panel" aria-labelledby="address">
      <h2 id="address">Address</h2>
      <Field
        id="slug"
        label="Last part of the address"
        hint={articlePath(kind, usableSlug(slug, kind) || made || '…')}
        placeholder={made}
        autoComplete="off"
        spellCheck={false}
        maxLength={contentLimits.slug}
        value={slug}
        error={error}
        ref={field}
        onChange={({ target }) => onSlug(target.value)}
        onBlur={onLeave}
      />
    </section>
  );
}
