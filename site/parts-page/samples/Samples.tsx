import { type ReactNode, useId } from 'react';

type Props = { title: string; children: ReactNode };

/** The samples of one folder of site/islands/ui. */
export function Samples({ title, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A component in one or more states. */
export const Sample = ({ title, children }: Props) => (
  <div className="parts-sample">
    <h3>{title}</h3>
    {children}
  </div>
);

export const LONG = 'Northern Lakes Family Dentistry and Orthodontics of Saint Paul, Minneapolis and Bloomington';
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
