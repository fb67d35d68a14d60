import { SupportContacts } from '../onboarding/Support.tsx';
import { readAppView } from '../parts/app-view.ts';
import { HelpCode } from './HelpCode.tsx';
import { HelpKeys } from './HelpKeys.tsx';
import { topicAt } from './help-questions.ts';
import { SupportView } from './SupportView.tsx';
import '#site/styles/areas/merchant/help.css';

/** Answers for the screen at `path`, the keys, whom to ask, and a code by which support knows where one was. */
export function HelpParts({ path, heading: Heading }: { path: string; heading: 'h2' | 'h3' }) {
  const topic = topicAt(path);
  return (
    <>
      <section className="card" aria-labelledby="help-topic">
        <Heading id="help-topic">Questions on {topic.name}</Heading>
        {topic.questions.map(({ asks, says }) => (
          <details key={asks} className="help-question">
            <summary>{asks}</summary>
            <p>{says}</p>
          </details>
        ))}
      </section>
      <HelpKeys heading={Heading} />
      <section className="card contact" aria-label="Support">
        <SupportContacts support={readAppView().support} />
        <HelpCode page={topic.code} />
      </section>
      <SupportView heading={Heading} />
    </>
  );
}
