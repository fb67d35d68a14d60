import { around, type Template } from '#shared/words/both';

type Props<Name extends string> = { phrase: Template<Name>; name: string; text: string; className?: string };

/** A phrase with its one name as an element, which the Worker fills in the built page. */
export function Filled<Name extends string>({ phrase, name, text, className }: Props<Name>) {
  const [before, behind] = around(phrase);
  return (
    <>
      {before}
      <span className={className} data-fill={name}>
        {text}
      </span>
      {behind}
    </>
  );
}
