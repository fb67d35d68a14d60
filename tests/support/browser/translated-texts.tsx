import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import '#site/islands/ui/translation-guard.ts';

/** Texts beside elements that appear, disappear, move or change, in every combination. */
function Texts() {
  const [n, setN] = useState(1);
  const isOdd = n % 2 === 1;
  return (
    <>
      <button type="button" onClick={() => setN(n + 1)}>
        {!isOdd && <i>•</i>}
        Step {n}
      </button>
      <p id="count">
        {n} payments of ${n}.10
      </p>
      <p id="branches">{isOdd ? 'declined' : <b>confirmed</b>} and more</p>
      <p id="going">
        before {isOdd && 'odd'} {isOdd ? null : 'even'} after
      </p>
      <p id="element">
        {!isOdd && <b>new</b>}
        text
      </p>
      <p id="alone">{isOdd ? 'only' : 'other'}</p>
      <p id="order">
        {(isOdd ? ['a', 'b', 'c'] : ['c', 'a', 'b']).map((letter) => (
          <Bare key={letter} text={letter} />
        ))}
      </p>
    </>
  );
}
const Bare = ({ text }: { text: string }) => text;

createRoot(document.getElementById('texts') as HTMLElement).render(<Texts />);
