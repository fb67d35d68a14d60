import { useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';

/** Shows the server's refusal at its field if the form has it, otherwise in the banner; either gets the focus. */
export function useError<Values extends FieldValues>(form: UseFormReturn<Values>, names: Path<Values>[]) {
  const [error, setError] = useState<ClientError | null>(null);
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) banner.current?.focus();
  }, [error]);

  const show = (refused: ClientError) => {
    const at = names.filter((name) => refused.fields.includes(name));
    for (const [index, name] of at.entries())
      form.setError(name, { type: 'server', message: refused.message }, { shouldFocus: index === 0 });
    setError(at.length > 0 ? null : refused);
  };
  return { error, banner, show, clear: () => setError(null) };
}
