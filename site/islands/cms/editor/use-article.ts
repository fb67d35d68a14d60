import { type RefObject, useEffect, useRef, useState } from 'react';
import { slugOf } from '#shared/article/slug';
import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';
import { type ArticleDetail, type ArticleItem, call, readConflict, readDetail, readDone } from '../api.ts';
import { type Leftover, takeLeftover } from './leftover-drafts.ts';
import { AS_SAVED, bodyOf, type FeaturedPicture, idOf, type LoadedArticle, NEW_ARTICLE_ID } from './load-article.ts';
import type { Times } from './panels/ScheduleFields.tsx';
import type { TextHandle } from './text/TextPart.tsx';
import { type DraftText, useDraft } from './use-draft.ts';

type Options = {
  kind: ArticleKind;
  writer: string;
  loaded: LoadedArticle;
  text: RefObject<TextHandle | null>;
  onCreated(id: string): void;
};

/** One article in the editor: the saved version, the typed text, and a newer version that another member saved. */
export function useArticle({ kind, writer, loaded, text, onCreated }: Options) {
  const [saved, setSaved] = useState<ArticleDetail | null>(loaded.article);
  const start = loaded.draft ?? loaded.article;
  const [title, setTitle] = useState(start?.title ?? '');
  const [slug, setSlug] = useState(start?.slug ?? '');
  const [excerpt, setExcerpt] = useState(start?.excerpt ?? '');
  const [status, setStatus] = useState<ArticleStatus>(loaded.article?.status ?? 'DRAFT');
  const [times, setTimes] = useState(timesOf(loaded.article));
  const [featured, setFeatured] = useState<FeaturedPicture>(loaded.featured);
  const [base, setBase] = useState(loaded.draft?.baseVersion ?? loaded.article?.version ?? 0);
  const [theirs, setTheirs] = useState<ArticleItem | null>(
    loaded.draft && loaded.article && loaded.draft.baseVersion < loaded.article.version ? loaded.article : null,
  );
  const [isDirty, setDirty] = useState(loaded.draft !== null);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<ClientError | null>(null);
  // The editor rewrites HTML slightly, so untouched text is sent as it was loaded.
  const isTextTouched = useRef(false);
  const startContent = useRef(start?.content ?? '');
  const input = useRef({ title, slug, excerpt, base, featured });
  input.current = { title, slug, excerpt, base, featured };

  const content = () => (isTextTouched.current ? (text.current?.html() ?? '') : startContent.current);
  const readText = (): DraftText => ({
    title: input.current.title,
    content: content(),
    excerpt: input.current.excerpt,
    slug: input.current.slug,
    baseVersion: input.current.base,
    featuredImageId: idOf(input.current.featured),
  });
  const draftPlace = { writer, kind, id: saved?.id ?? NEW_ARTICLE_ID, tab: loaded.tab };
  const draft = useDraft(draftPlace, loaded.draft?.sentAt ?? null, readText);
  const markDirty = () => {
    setDirty(true);
    draft.markChanged();
  };
  const path = `/api/cms/${kind}s`;

  const showArticle = (article: ArticleDetail | ArticleItem, detail: ArticleDetail | null) => {
    const { title, slug, excerpt, version } = article;
    input.current = { title, slug, excerpt, base: version, featured: AS_SAVED };
    setTitle(title);
    setSlug(slug);
    setExcerpt(excerpt);
    setStatus(article.status);
    setTimes(timesOf(article));
    setBase(version);
    setTheirs(null);
    setFeatured(AS_SAVED);
    if (detail) setSaved(detail);
  };

  /** `overwrittenVersion`: the version that this save may overwrite. */
  const save = async (overwrittenVersion = input.current.base): Promise<boolean> => {
    if (isSaving) return false;
    setSaving(true);
    setError(null);
    await draft.settle();
    const submitted = { ...readText(), ...times, status };
    const version = saved ? overwrittenVersion : undefined;
    const answer = await call(saved ? `${path}/${saved.id}` : path, readDetail, {
      ...bodyOf(kind, { ...submitted, version }),
      method: saved ? 'PUT' : 'POST',
    });
    setSaving(false);
    if (!answer.ok) {
      const conflict = readConflict(answer.error);
      if (conflict) setTheirs(conflict.current);
      else setError(answer.error);
      // Keeps the unsaved text as a draft.
      draft.markChanged();
      return false;
    }
    const article = answer.value;
    const isImageChanged = idOf(input.current.featured) !== submitted.featuredImageId;
    const current = readText();
    const hasNewEdits =
      current.title !== submitted.title ||
      current.content !== submitted.content ||
      current.excerpt !== submitted.excerpt ||
      isImageChanged;
    const savedFields = { slug: article.slug, base: article.version };
    input.current = {
      ...savedFields,
      title: hasNewEdits ? input.current.title : article.title,
      excerpt: hasNewEdits ? input.current.excerpt : article.excerpt,
      featured: isImageChanged ? input.current.featured : AS_SAVED,
    };
    if (!hasNewEdits) setTitle(article.title);
    setExcerpt(input.current.excerpt);
    setSlug(article.slug);
    setBase(article.version);
    setTheirs(null);
    setFeatured(input.current.featured);
    setDirty(hasNewEdits);
    draft.dropDraft();
    const isNew = !saved;
    setSaved(article);
    setTimes(timesOf(article));
    if (isNew) onCreated(article.id);
    if (hasNewEdits) draft.markChanged();
    return true;
  };

  const replaceText = (html: string) => {
    text.current?.replaceWith(html);
    startContent.current = html;
    isTextTouched.current = false;
  };

  /** Returns to the saved version; undo restores the typed text. */
  const discard = async (target: ArticleItem | null) => {
    await draft.settle();
    if (target) showArticle(target, saved ? { ...saved, ...target, draft: null } : null);
    else {
      input.current = { title: '', slug: '', excerpt: '', base: 0, featured: AS_SAVED };
      setTitle('');
      setSlug('');
      setExcerpt('');
      setFeatured(AS_SAVED);
    }
    replaceText(target?.content ?? '');
    await draft.settle();
    setDirty(false);
    setError(null);
    draft.dropDraft();
    await call(`${path}/${saved?.id ?? NEW_ARTICLE_ID}/draft`, readDone, { method: 'DELETE' });
  };

  /** Swaps this tab's text with a leftover draft, which is shown when the article is loaded again. */
  const exchange = async (leftover: Leftover) => {
    await draft.settle();
    takeLeftover(draftPlace, leftover, isDirty ? draft.toStoredDraft() : null);
  };

  const restored = async (article: ArticleDetail) => {
    await draft.settle();
    showArticle(article, article);
    replaceText(article.content);
    await draft.settle();
    setDirty(false);
    draft.dropDraft();
  };

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (draft.state.kind === 'only-here') event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [draft.state]);

  return {
    saved,
    title,
    slug,
    excerpt,
    status,
    times,
    featured,
    theirs,
    isDirty,
    isSaving,
    error,
    draftState: draft.state,
    readText,
    save,
    discard,
    exchange,
    restored,
    flush: draft.flush,
    flushForPreview: () => (isDirty ? draft.resend() : draft.flush()),
    clearError: () => setError(null),
    setTitle: (next: string) => {
      input.current.title = next;
      setTitle(next);
      markDirty();
    },
    setSlug: (next: string) => {
      input.current.slug = next;
      setSlug(next);
      markDirty();
    },
    setExcerpt: (next: string) => {
      input.current.excerpt = next;
      setExcerpt(next);
      markDirty();
    },
    /** Normalizes the address as the server will save it. */
    tidySlug: () => setSlug((current) => slugOf(current)),
    setStatus: (next: ArticleStatus) => {
      setStatus(next);
      setDirty(true);
    },
    setTimes: (next: Times) => {
      setTimes(next);
      setDirty(true);
    },
    setFeatured: (next: FeaturedPicture) => {
      input.current.featured = next;
      setFeatured(next);
      markDirty();
    },
    onText: () => {
      isTextTouched.current = true;
      markDirty();
    },
  };
}

const timesOf = (article: Times | null): Times => ({
  startsAt: article?.startsAt ?? null,
  endsAt: article?.endsAt ?? null,
});

export type OpenArticle = ReturnType<typeof useArticle>;
