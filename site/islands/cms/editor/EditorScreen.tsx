import { useEffect, useRef, useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { AppLink, navigate } from '#site/islands/ui/routing/router.tsx';
import { texts } from '../texts.ts';
import { ArticleForm } from './ArticleForm.tsx';
import { type LoadedArticle, loadArticle } from './load-article.ts';
import type { DraftPlace } from './local-draft.ts';
import '#site/styles/areas/cms/editor.css';

type State =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; isMissing: boolean }
  | { kind: 'loaded'; loaded: LoadedArticle; form: number; isRequested: boolean };

let formCount = 0;

/** Loads an article and opens it. A new article stays open when its first save gives it an id. */
export function EditorScreen({ writer, kind, id }: DraftPlace) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [reloadCount, setReloadCount] = useState(0);
  const openId = useRef('');
  const isRequested = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reload is a new attempt
  useEffect(() => {
    if (openId.current === id) return;
    let isUnmounted = false;
    setState({ kind: 'loading' });
    void loadArticle({ writer, kind, id }).then((answer) => {
      if (isUnmounted) return;
      if (!answer.ok) {
        const { message, status } = answer.error;
        return setState({ kind: 'failed', message, isMissing: status === 404 });
      }
      openId.current = id;
      formCount += 1;
      setState({ kind: 'loaded', loaded: answer.value, form: formCount, isRequested: isRequested.current });
      isRequested.current = false;
    });
    return () => {
      isUnmounted = true;
    };
  }, [writer, kind, id, reloadCount]);

  if (state.kind === 'loading') {
    return (
      <p role="status" className="app-quiet app-waiting">
        Loading...
      </p>
    );
  }
  if (state.kind === 'failed') {
    return (
      <div className="notice app-narrow">
        <h1 tabIndex={-1}>{texts[kind].fetchOne}</h1>
        <p>{state.message}</p>
        <div className="actions">
          {!state.isMissing && (
            <Button kind="primary" onClick={() => setReloadCount(reloadCount + 1)}>
              Retry
            </Button>
          )}
          <AppLink className="button button-secondary" href={`/cms/${kind}s`}>
            All {kind}s
          </AppLink>
        </div>
      </div>
    );
  }
  return (
    <ArticleForm
      key={state.form}
      kind={kind}
      writer={writer}
      loaded={state.loaded}
      isRequested={state.isRequested}
      onExchanged={() => {
        openId.current = '';
        isRequested.current = true;
        setReloadCount(reloadCount + 1);
      }}
      onCreated={(newId) => {
        openId.current = newId;
        navigate(`/cms/${kind}s/edit/${newId}`, { replace: true });
      }}
    />
  );
}
