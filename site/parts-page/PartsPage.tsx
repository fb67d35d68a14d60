import { Toasts } from '../islands/ui/feedback/Toasts.tsx';
import { FeedbackSamples } from './samples/feedback.tsx';
import { FormSamples, SignatureSamples } from './samples/form.tsx';
import { PageSamples, RoutingSamples } from './samples/page.tsx';
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
