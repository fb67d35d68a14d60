import type { ArticleKind } from '../../../../shared/contracts/content.ts';
import { articlePath } from '../../../../shared/paths.ts';
import { usableSlug } from '../../../../shared/slug.ts';
import { Field } from '../../ui/Field.tsx';

type Props = {
  kind: ArticleKind;
  slug: string;
  title: string;
  error: string | undefined;
  onSlug(slug: string): void;
  onLeave(): void;
};

/** Where it will be. Left empty, it is made of the title. */
export function AddressPanel({ kind, slug, title, error, onSlug, onLeave }: Props) {
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
        maxLength={80}
        value={slug}
        error={error}
        onChange={({ target }) => onSlug(target.value)}
        onBlur={onLeave}
      />
    </section>
  );
}
