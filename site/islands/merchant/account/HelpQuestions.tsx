import { useState } from 'react';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import { findQuestions, questions, questionsOn, type topicAt } from './help-questions.ts';

type Props = { topic: ReturnType<typeof topicAt>; heading: 'h2' | 'h3' };

/** The answers for the current screen, or those that match a search. Users can also open all of them. */
export function HelpQuestions({ topic, heading: Heading }: Props) {
  const [text, setText] = useState('');
  const matches = findQuestions(text);
  const screenQuestions = questionsOn(topic);
  return (
    <section className="card help-questions" aria-labelledby="help-topic">
      <SearchBox searchedFields="answers" value={text} onSearch={setText} />
      <p role="status" className="sr-only">
        {text && (matches.length === 1 ? '1 answer' : `${matches.length} answers`)}
      </p>
      <Heading id="help-topic">{text ? 'Answers' : `Questions on ${topic.name}`}</Heading>
      {text && matches.length === 0 && (
        <p className="app-quiet">Nothing matches. Try another word, or contact support below.</p>
      )}
      <Answers items={text ? matches : screenQuestions} />
      {!text && (
        <details className="help-all">
          <summary>All {questions.length} questions</summary>
          <Answers items={questions} />
        </details>
      )}
    </section>
  );
}

const Answers = ({ items }: { items: typeof questions }) => (
  <div className="help-answers">
    {items.map(({ question, answer }) => (
      <details key={question} className="help-question">
        <summary>{question}</summary>
        <p>{answer}</p>
      </details>
    ))}
  </div>
);
