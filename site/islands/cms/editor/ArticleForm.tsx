import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ArticleKind } from '#shared/contracts/content/content';
import { contentLimits } from '#shared/limits';
import { hasNoMessage } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { FieldError } from '#site/islands/ui/form/Field.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { saveLabel, texts } from '../texts.ts';
import { type LoadedArticle, NEW_ARTICLE_ID } from './load-article.ts';
import { ConflictBanner, LeftoverBanner } from './panels/DraftBanners.tsx';
import { PreviewButton } from './panels/PreviewButton.tsx';
import { SidePanels } from './SidePanels.tsx';
import { StateLine } from './StateLine.tsx';
import { type TextHandle, TextPart } from './text/TextPart.tsx';
import { useArticle } from './use-article.ts';
import { useLivePage } from './use-live-page.ts';

/**
 * Sets `--keyboard` to the height in pixels that an on-screen keyboard covers: browsers do not shrink the window for
 * it, so parts fixed to the bottom would be hidden behind it.
 */
export function useKeyboardInset(): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const { style } = document.documentElement;
    const update = () => {
      // Pinch zoom shrinks the visual viewport, too.
      const coveredHeight = view.scale === 1 ? Math.max(0, window.innerHeight - view.height - view.offsetTop) : 0;
      style.setProperty('--keyboard', `${Math.round(coveredHeight)}px`);
    };
    update();
    view.addEventListener('resize', update);
    view.addEventListener('scroll', update);
    return () => {
      view.removeEventListener('resize', update);
      view.removeEventListener('scroll', update);
      style.removeProperty('--keyboard');
    };
  }, []);
}

/** `writer`: the email address of the logged-in member. */
type Props = {
  kind: ArticleKind;
  writer: string;
  loaded: LoadedArticle;
  /** True if the writer asked to see this draft; its banner then gets the focus. */
  isRequested: boolean;
  onCreated(id: string): void;
  /** Called when this tab has switched to another draft. */
  onExchanged(): void;
};

export function ArticleForm({ kind, writer, loaded, isRequested, onCreated, onExchanged }: Props) {
  const text = useRef<TextHandle>(null);
  const titleField = useRef<HTMLTextAreaElement>(null);
  const slugField = useRef<HTMLInputElement>(null);
  const banner = useRef<HTMLDivElement>(null);
  const conflict = useRef<HTMLDivElement>(null);
  const draftBanner = useRef<HTMLDivElement>(null);
  const article = useArticle({ kind, writer, loaded, text, onCreated });
  const { saved, error, theirs } = article;
  const site = useLivePage(kind, saved);
  useKeyboardInset();
  const [isDraftShown, setDraftShown] = useState(loaded.draft !== null && theirs === null);
  const [titleError, setTitleError] = useState('');
  const [undescribedCount, setUndescribedCount] = useState(0);
  const isSlugError = error?.fields.includes('slug') ?? false;

  // The writer may have scrolled down, so focus the error to bring it into view.
  useEffect(() => {
    if (error) (isSlugError ? slugField : banner).current?.focus();
  }, [error, isSlugError]);
  useEffect(() => {
    if (theirs && theirs !== loaded.article) conflict.current?.focus();
  }, [theirs, loaded.article]);

  useEffect(() => {
    if (isRequested) (draftBanner.current ?? conflict.current)?.focus();
  }, [isRequested]);

  const save = async (overwrittenVersion?: number) => {
    if (article.title.trim() === '') {
      setTitleError('Please enter a title.');
      titleField.current?.focus();
      return;
    }
    setTitleError('');
    if (await article.save(overwrittenVersion)) setDraftShown(false);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
    event.preventDefault();
    void save();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  return (
    <div className="article-editor">
      <div className="editor-bar">
        <AppLink className="editor-back" href={`/cms/${kind}s`} onClick={() => void article.flush()}>
          {kind === 'post' ? 'Posts' : 'Pages'}
        </AppLink>
        <StateLine article={article} site={site} />
        <div className="editor-actions">
          <PreviewButton
            kind={kind}
            id={saved?.id ?? NEW_ARTICLE_ID}
            flush={article.flushForPreview}
            isDraft={article.isDirty}
          />
          <Button kind="primary" busy={article.isSaving} onClick={() => void save()}>
            {saveLabel(saved?.status ?? null, article.status, article.times.startsAt !== null)}
          </Button>
        </div>
      </div>
      <h1 className="sr-only" tabIndex={-1}>
        {saved ? `Edit ${kind}: ${saved.title}` : `New ${kind}`}
      </h1>
      <div className="editor-main">
        {error && !isSlugError && (
          <Banner
            tone="bad"
            ref={banner}
            // The server's message, if there is one.
            lead={hasNoMessage(error) ? texts[kind].save : error.message}
            onDismiss={article.clearError}
          >
            {hasNoMessage(error) && error.message}
          </Banner>
        )}
        {isDraftShown && loaded.draft && (
          <Banner
            tone="note"
            ref={draftBanner}
            lead={`Your unsaved text from ${formatWhen(loaded.draft.savedAt)} is shown.`}
            onDismiss={() => setDraftShown(false)}
            actions={
              <button
                type="button"
                className="text-button"
                onClick={() => {
                  setDraftShown(false);
                  void article.discard(saved);
                }}
              >
                Discard it
              </button>
            }
          />
        )}
        {saved?.id === loaded.article?.id && (
          <LeftoverBanner
            kind={kind}
            id={saved?.id ?? NEW_ARTICLE_ID}
            leftovers={loaded.leftovers}
            onShow={(leftover) => void article.exchange(leftover).then(onExchanged)}
          />
        )}
        {theirs && (
          <ConflictBanner
            ref={conflict}
            theirs={theirs}
            readMine={article.readText}
            onMine={() => void save(theirs.version)}
            onTheirs={() => {
              void article.discard(theirs);
              toast('Their text is shown. Undo brings yours back.');
            }}
          />
        )}
        <div className="editor-title">
          <label className="sr-only" htmlFor="title">
            Title
          </label>
          <textarea
            id="title"
            rows={1}
            placeholder="Title"
            ref={titleField}
            maxLength={contentLimits.title}
            value={article.title}
            aria-invalid={titleError ? true : undefined}
            aria-describedby={titleError ? 'title-error' : undefined}
            onChange={({ target }) => {
              article.setTitle(target.value.replaceAll('\n', ' '));
              if (target.value.trim() !== '') setTitleError('');
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              text.current?.focus();
            }}
          />
          <FieldError id="title-error" text={titleError || undefined} />
        </div>
        <TextPart
          initial={loaded.draft?.content ?? loaded.article?.content ?? ''}
          onChange={article.onText}
          onUndescribed={setUndescribedCount}
          ref={text}
        />
      </div>
      <SidePanels
        kind={kind}
        article={article}
        site={site}
        undescribedCount={undescribedCount}
        slugError={isSlugError ? error?.message : undefined}
        slugField={slugField}
      />
    </div>
  );
}
