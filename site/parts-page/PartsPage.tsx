import { Toasts } from '../islands/ui/feedback/Toasts.tsx';
import { FeedbackSamples } from './samples/feedback.tsx';
import { FormSamples } from './samples/form.tsx';
import { PageSamples } from './samples/page.tsx';
import { RoutingSamples } from './samples/routing.tsx';
import { SignatureSamples } from './samples/signature.tsx';
import { TableSamples } from './samples/table.tsx';
import { TrailSamples } from './samples/trail.tsx';

export function PartsPage() {
  return (
    <main className="app-main parts" id="main">
      <h1>Parts of the screens</h1>
      <PageSamples />
      <FormSamples />
      <SignatureSamples />
      <FeedbackSamples />
      <RoutingSamples />
      <TableSamples />
      <TrailSamples />
      <Toasts />
    </main>
  );
}
