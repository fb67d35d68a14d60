import { type ComponentProps, useState } from 'react';
import { wordsIn } from '#shared/words/both';
import { padWords } from '#shared/words/sign-words';
import { SignaturePad } from '#site/islands/ui/form/SignaturePad.tsx';
import { imageOfName } from '#site/islands/ui/form/signature-image.ts';
import { Sample, Samples } from './Samples.tsx';

const usual = {
  words: wordsIn(padWords, 'en'),
  error: undefined,
  readOnly: false,
  onSigned: () => undefined,
  ref: null,
};

type State = [title: string, props: Partial<ComponentProps<typeof SignaturePad>>];

export function SignatureSamples() {
  const [image] = useState(() => imageOfName('Ada Núñez', 400));
  const states: State[] = [
    ['empty', {}],
    ['missing', { error: 'Please sign' }],
    ['read only', { readOnly: true }],
    ['signed', { kept: image }],
  ];
  return (
    <Samples title="Signature">
      {states.map(([state, props]) => (
        <Sample key={state} title={`Signature pad, ${state}`}>
          <div className="parts-column">
            <SignaturePad {...usual} {...props} id={`signature-${state.replace(' ', '-')}`} />
          </div>
        </Sample>
      ))}
    </Samples>
  );
}
