import { type ReactNode, useId } from 'react';

type Props = { title: string; children: ReactNode };

/** A folder of site/islands/ui. */
export function Samples({ title, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A component in one or several states. */
export const Sample = ({ title, children }: Props) => (
  <div className="parts-sample">
    <h3>{title}</h3>
    {children}
  </div>
);

export const LONG = 'Northern Lakes Family Dentistry and Orthodontics of Saint Paul, Minneapolis and Bloomington';
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
