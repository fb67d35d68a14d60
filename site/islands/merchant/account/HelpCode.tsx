import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { api } from '../api/api.ts';
import { useBuild } from './use-build.ts';

type Made = { kind: 'none' | 'making' } | { kind: 'made'; code: string } | { kind: 'failed'; message: string };

/** Codes to tell support: of the page and the build, and one that leads to the clinic in the log. Neither names a customer. */
export function HelpCode({ page }: { page: string }) {
  const build = useBuild();
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
    <div className="help-code">
      <p>
        Say the code <code>{build ? `${page}-${build}` : page}</code>: it tells which page you are on, and of which
        build. It holds no customer data. An error ends with a code of its own, in brackets.
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
    </div>
  );
}
