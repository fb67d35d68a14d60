import { useState } from 'react';
import { Button } from '../../ui/form/Button.tsx';
import { useSearch } from '../../ui/routing/router.tsx';
import { api } from '../api/api.ts';
import { SupportContacts } from '../onboarding/Support.tsx';
import { readAppView } from '../parts/app-view.ts';
import { HelpKeys } from './HelpKeys.tsx';
import { topicAt } from './help-questions.ts';
import { SupportView } from './SupportView.tsx';
import '../../../styles/areas/merchant/help.css';

type Made = { kind: 'none' | 'making' } | { kind: 'made'; code: string } | { kind: 'failed'; message: string };

/** Answers for the screen that one comes from, the keys, whom to ask, and the codes by which support finds in the log what happened. */
export function Help() {
  const topic = topicAt(new URLSearchParams(useSearch()).get('of') ?? '');
  const [made, setMade] = useState<Made>({ kind: 'none' });
  const make = async () => {
    setMade({ kind: 'making' });
    // Any call that names the clinic in the log will do.
    const answer = await api.call('/api/token/get-merchant', (_, headers) => headers.get('x-request-id'));
    setMade(
      answer.ok ? { kind: 'made', code: answer.value.slice(0, 8) } : { kind: 'failed', message: answer.error.message },
    );
  };
  return (
    <div className="app-wide app-help">
      <h1 tabIndex={-1}>Help</h1>
      <section className="card" aria-labelledby="help-topic">
        <h2 id="help-topic">Questions on {topic.name}</h2>
        {topic.questions.map(({ asks, says }) => (
          <details key={asks} className="help-question">
            <summary>{asks}</summary>
            <p>{says}</p>
          </details>
        ))}
      </section>
      <HelpKeys />
      <section className="card contact" aria-label="Support">
        <SupportContacts support={readAppView().support} />
      </section>
      <section className="card" aria-labelledby="help-codes">
        <h2 id="help-codes">Codes for support</h2>
        <p>
          An error here ends with a code in brackets. Tell it to support: it finds the call in our log, and says nothing
          of your customers.
        </p>
        <p>For a question without an error, make a code: it tells support which clinic asks.</p>
        <div className="actions">
          <Button busy={made.kind === 'making'} onClick={() => void make()}>
            Make a code
          </Button>
          <p role="status">
            {made.kind === 'made' && (
              <>
                Your code is <code>{made.code}</code>.
              </>
            )}
            {made.kind === 'failed' && made.message}
          </p>
        </div>
      </section>
      <SupportView />
    </div>
  );
}
