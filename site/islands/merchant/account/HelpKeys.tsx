import { useState } from 'react';
import { areLettersOn, keys, switchLetters } from './keys.ts';

/** The keys, and the switch of those that are single letters. */
export function HelpKeys({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const [isOn, setOn] = useState(areLettersOn);
  return (
    <section className="card" aria-labelledby="help-keys">
      <Heading id="help-keys">Keys</Heading>
      <dl className="help-keys">
        {keys.map(({ keys: all, does }) => (
          <div key={does}>
            <dt>
              {all.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="help-switch">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            switchLetters(target.checked);
            setOn(target.checked);
          }}
        />
        Single letters do this too, outside fields
      </label>
    </section>
  );
}
