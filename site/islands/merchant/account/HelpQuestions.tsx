import { useState } from 'react';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import { findQuestions, questions, questionsOn, type topicAt } from './help-questions.ts';

type Props = { topic: ReturnType<typeof topicAt>; heading: 'h2' | 'h3' };

/** Answers: those for the current screen, all of them on demand, and those that a search finds. */
export function HelpQuestions({ topic, heading: Heading }: Props) {
  const [text, setText] = useState('');
  const found = findQuestions(text);
  const here = questionsOn(topic);
  return (
    <section className="card help-questions" aria-labelledby="help-topic">
      <SearchBox of="answers" value={text} onSearch={setText} />
      <p role="status" className="sr-only">
        {text && (found.length === 1 ? '1 answer' : `${found.length} answers`)}
      </p>
      <Heading id="help-topic">{text ? 'Answers' : `Questions on ${topic.name}`}</Heading>
      {text && found.length === 0 && (
        <p className="app-quiet">Nothing matches. Try another word, or contact support below.</p>
      )}
      <Answers of={text ? found : here} />
      {!text && (
        <details className="help-all">
          <summary>All {questions.length} questions</summary>
          <Answers of={questions} />
        </details>
      )}
    </section>
  );
}

const Answers = ({ of }: { of: typeof questions }) => (
  <div className="help-answers">
    {of.map(({ asks, says }) => (
      <details key={asks} className="help-question">
        <summary>{asks}</summary>
        <p>{says}</p>
      </details>
    ))}
  </div>
);
