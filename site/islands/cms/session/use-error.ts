import { useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ClientError } from '../../ui/api/parse-response.ts';

/** Shows the server's refusal at its field if the form has it, otherwise in the banner; either gets the focus. */
export function useError<Values extends FieldValues>(form: UseFormReturn<Values>, names: Path<Values>[]) {
  const [fault, setFault] = useState<ClientError | null>(null);
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (fault) banner.current?.focus();
  }, [fault]);

  const show = (refused: ClientError) => {
    const at = names.filter((name) => refused.fields.includes(name));
    for (const [index, name] of at.entries())
      form.setError(name, { type: 'server', message: refused.message }, { shouldFocus: index === 0 });
    setFault(at.length > 0 ? null : refused);
  };
  return { fault, banner, show, clear: () => setFault(null) };
}
