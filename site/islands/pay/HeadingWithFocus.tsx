import { type ReactNode, useEffect, useRef } from 'react';

/** The heading of a state that came by itself takes the focus, so that it is read out and seen. */
export function HeadingWithFocus({ id, take, children }: { id: string; take: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (take) heading.current?.focus();
  }, [take]);
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}
