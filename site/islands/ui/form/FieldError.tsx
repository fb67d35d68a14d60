import { Icon } from '../Icon.tsx';
import '#site/styles/parts/form/field.css';

export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <span className="field-error" id={id}>
      <Icon name="alert" size="sm" />
      {text}
    </span>
  );
}
