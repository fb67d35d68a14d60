import { type Ref, useState } from 'react';
import { usableSlug } from '#shared/article/slug';
import type { ArticleKind, Picture } from '#shared/contracts/content/content';
import { contentLimits } from '#shared/limits';
import { articlePath } from '#shared/paths';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { navigate } from '#site/islands/ui/routing/router.tsx';
import { DeleteArticle } from '../lists/DeleteArticle.tsx';
import { sortFiles } from '../media/check-file.ts';
import type { FeaturedPicture } from './load-article.ts';
import { HistoryPanel } from './panels/HistoryPanel.tsx';
import { PublishPanel } from './panels/PublishPanel.tsx';
import { PictureDialog } from './text/PictureDialog.tsx';
import type { OpenArticle } from './use-article.ts';
import type { useLivePage } from './use-live-page.ts';

type AddressProps = {
  kind: ArticleKind;
  slug: string;
  title: string;
  error: string | undefined;
  /** Gets the focus when the address is refused. */
  field: Ref<HTMLInputElement>;
  onSlug(slug: string): void;
  onLeave(): void;
};

/** The article's address; if left empty, it is generated from the title. */
export function AddressPanel({ kind, slug, title, error, field, onSlug, onLeave }: AddressProps) {
  const generatedSlug = usableSlug(title, kind);
  return (
    <section className="card editor-panel" aria-labelledby="address">
      <h2 id="address">Address</h2>
      <Field
        id="slug"
        label="Last part of the address"
        hint={articlePath(kind, usableSlug(slug, kind) || generatedSlug || '…')}
        placeholder={generatedSlug}
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

type ExcerptProps = { excerpt: string; onExcerpt(excerpt: string): void };

/** The post's text in lists; if left empty, the beginning of its content. */
export function ExcerptPanel({ excerpt, onExcerpt }: ExcerptProps) {
  return (
    <section className="card editor-panel" aria-labelledby="excerpt-title">
      <h2 id="excerpt-title">Excerpt</h2>
      <div className="field">
        <label className="label" htmlFor="excerpt">
          Shown in lists<span className="label-note"> (optional)</span>
        </label>
        <span className="hint" id="excerpt-hint">
          If you leave it empty, lists show the beginning of the text.
        </span>
        <textarea
          id="excerpt"
          className="input input-tall"
          rows={4}
          maxLength={contentLimits.excerpt}
          value={excerpt}
          aria-describedby="excerpt-hint"
          onChange={({ target }) => onExcerpt(target.value)}
        />
      </div>
    </section>
  );
}

type FeaturedProps = { saved: Picture | null; featured: FeaturedPicture; onFeatured(featured: FeaturedPicture): void };

/** The featured image of a post. */
export function FeaturedPanel({ saved, featured, onFeatured }: FeaturedProps) {
  const [isOpen, setOpen] = useState(false);
  const [droppedFile, setDroppedFile] = useState<File | null>(null);
  const chosenPicture = featured.kind === 'chosen' ? featured.picture : null;
  const image = chosenPicture
    ? {
        url: chosenPicture.localUrl,
        alt: chosenPicture.alt,
        width: chosenPicture.width ?? 16,
        height: chosenPicture.height ?? 9,
      }
    : featured.kind === 'as-saved'
      ? saved
      : null;
  return (
    <section
      className="card editor-panel"
      aria-labelledby="featured"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const { good, refused } = sortFiles(event.dataTransfer.files, 'pictures');
        for (const refusal of refused) toast(refusal);
        const [file] = good;
        if (!file) return;
        setDroppedFile(file);
        setOpen(true);
      }}
    >
      <h2 id="featured">Featured image</h2>
      {image && (
        <img className="editor-featured" src={image.url} alt={image.alt} width={image.width} height={image.height} />
      )}
      <div className="editor-buttons">
        <Button
          onClick={() => {
            setDroppedFile(null);
            setOpen(true);
          }}
        >
          {image ? 'Change image' : 'Choose image'}
        </Button>
        {image && <Button onClick={() => onFeatured({ kind: 'removed' })}>Remove image</Button>}
      </div>
      {isOpen && (
        <PictureDialog
          file={droppedFile}
          editedPicture={null}
          submitLabel="Use as featured image"
          onClose={() => setOpen(false)}
          onPicked={(picture) => {
            setOpen(false);
            onFeatured({ kind: 'chosen', picture });
          }}
        />
      )}
    </section>
  );
}

type Props = {
  kind: ArticleKind;
  article: OpenArticle;
  site: ReturnType<typeof useLivePage>;
  /** Number of pictures in the text without a description. The featured one is not counted: the title describes it. */
  undescribedCount: number;
  slugError: string | undefined;
  /** Gets the focus when the address is refused. */
  slugField: Ref<HTMLInputElement>;
};

/** All settings of an article, beside its text. */
export function SidePanels({ kind, article, site, undescribedCount, slugError, slugField }: Props) {
  const { saved } = article;
  return (
    <aside className="editor-side" aria-label="Settings">
      <PublishPanel
        kind={kind}
        saved={saved}
        site={site}
        status={article.status}
        onStatus={article.setStatus}
        times={article.times}
        onTimes={article.setTimes}
        undescribedCount={undescribedCount}
      />
      <AddressPanel
        kind={kind}
        slug={article.slug}
        title={article.title}
        error={slugError}
        field={slugField}
        onSlug={article.setSlug}
        onLeave={article.tidySlug}
      />
      {kind === 'post' && (
        <>
          <ExcerptPanel excerpt={article.excerpt} onExcerpt={article.setExcerpt} />
          <FeaturedPanel saved={saved?.picture ?? null} featured={article.featured} onFeatured={article.setFeatured} />
        </>
      )}
      {saved && (
        <HistoryPanel
          kind={kind}
          id={saved.id}
          version={saved.version}
          isDirty={article.isDirty}
          readCurrentText={article.readText}
          onRestored={(restored) => {
            void article.restored(restored);
            toast('An earlier version is back.');
          }}
        />
      )}
      {saved && (
        <DeleteArticle
          kind={kind}
          item={saved}
          className="button button-ghost editor-delete"
          label={`Delete ${kind}`}
          onDeleted={() => navigate(`/cms/${kind}s`)}
        />
      )}
    </aside>
  );
}
