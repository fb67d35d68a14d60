import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { wordsIn } from '#shared/words/bilingual';
import { padWords } from '#shared/words/sign-words';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field, FieldError } from '#site/islands/ui/form/Field.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { SignaturePad } from '#site/islands/ui/form/SignaturePad.tsx';
import { imageOfName } from '#site/islands/ui/form/signature-image.ts';
import { LONG, Sample, Samples } from './Samples.tsx';

const ignore = () => undefined;

export function FormSamples() {
  return (
    <Samples title="Form">
      <Sample title="Button: kinds, sizes, busy, disabled">
        <div className="parts-row">
          <Button kind="primary">Primary</Button>
          <Button>Secondary</Button>
          <Button kind="ghost">Ghost</Button>
          <Button kind="bad">Destroys</Button>
          <Button size="sm">Small</Button>
          <Button size="lg">Large</Button>
        </div>
        <div className="parts-row">
          <Button kind="primary" busy>
            Saving
          </Button>
          <Button busy>Loading</Button>
          <Button kind="primary" disabled>
            Disabled
          </Button>
          <Button disabled>Disabled</Button>
        </div>
        <div className="parts-column">
          <Button kind="primary" wide>
            As wide as its place, with a label that needs more than one line on a phone
          </Button>
        </div>
      </Sample>
      <Sample title="Field: empty, filled, wrong, read only, disabled, with long texts">
        <div className="parts-column">
          <Field id="field-empty" label="Empty" placeholder="Enter DBA Name" optional="(optional)" />
          <Field id="field-filled" label="Filled" hint="The name your customers know you by." defaultValue="Núñez" />
          <Field id="field-wrong" label="Wrong" hint="As on the card." error="Enter your zip" defaultValue="1" />
          <Field id="field-read" label="Read only" value="ada@clinic.example" readOnly onChange={ignore} />
          <Field id="field-disabled" label="Disabled" value="Not now" disabled onChange={ignore} />
          <Field id="field-long" label={LONG} hint={LONG} error={LONG} defaultValue={LONG} />
          <FocusedField />
        </div>
      </Sample>
      <Sample title="Error of a part that has no field of its own">
        <FieldError id="error-alone" text="Please choose a terminal." />
      </Sample>
      <Sample title="Select: usual, disabled, with a long choice">
        <div className="parts-column">
          <Select aria-label="Usual" defaultValue="two">
            <option>one</option>
            <option>two</option>
          </Select>
          <Select aria-label="Disabled" disabled>
            <option>one</option>
          </Select>
          <Select aria-label="Long">
            <option>{LONG}</option>
          </Select>
        </div>
      </Sample>
    </Samples>
  );
}

/** A field that takes the focus on load without scrolling the page. */
function FocusedField() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  return <Field id="field-focused" label="Focused" ref={input} />;
}

const defaults = {
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
    ['signed', { savedImage: image }],
  ];
  return (
    <Samples title="Signature">
      {states.map(([state, props]) => (
        <Sample key={state} title={`Signature pad, ${state}`}>
          <div className="parts-column">
            <SignaturePad {...defaults} {...props} id={`signature-${state.replace(' ', '-')}`} />
          </div>
        </Sample>
      ))}
    </Samples>
  );
}
