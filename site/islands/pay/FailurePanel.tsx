import { DetailRows } from '../ui/DetailRows.tsx';
import { Button } from '../ui/form/Button.tsx';
import type { Failure } from './reply.ts';

export function FailurePanel({ failure, onOkay }: { failure: Failure; onOkay(): void }) {
  return (
    <section className="failure" aria-labelledby="pay-failed">
      <h2 id="pay-failed">Payment Failed!</h2>
      <p>There was an error processing your payment.</p>
      <DetailRows
        rows={[
          ['Error Message', failure.message],
          ['Result Code', <span className="code">{failure.resultCode}</span>],
        ]}
      />
      <Button onClick={onOkay}>Okay</Button>
    </section>
  );
}
