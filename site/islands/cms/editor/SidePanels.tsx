import type { Ref } from 'react';
import type { ArticleKind } from '#shared/contracts/content/content';
import { toast } from '#site/islands/ui/feedback/toast.ts';
import { navigate } from '#site/islands/ui/routing/router.tsx';
import { DeleteArticle } from '../lists/DeleteArticle.tsx';
import { AddressPanel } from './panels/AddressPanel.tsx';
import { ExcerptPanel } from './panels/ExcerptPanel.tsx';
import { FeaturedPanel } from './panels/FeaturedPanel.tsx';
import { HistoryPanel } from './panels/HistoryPanel.tsx';
import { PublishPanel } from './panels/PublishPanel.tsx';
import type { OpenArticle } from './use-article.ts';

type Props = {
  kind: ArticleKind;
  article: OpenArticle;
  slugError: string | undefined;
  /** Gets the focus when the address is refused. */
  slugField: Ref<HTMLInputElement>;
};

/** All settings of an article, beside its text. */
export function SidePanels({ kind, article, slugError, slugField }: Props) {
  const { saved } = article;
  return (
    <aside className="editor-side" aria-label="Settings">
      <PublishPanel
        kind={kind}
        saved={saved}
        status={article.status}
        onStatus={article.setStatus}
        times={article.times}
        onTimes={article.setTimes}
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
          readNow={article.readText}
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
