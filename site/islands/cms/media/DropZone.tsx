import { type ReactNode, useRef, useState } from 'react';
import { uploadTypes } from '#shared/contracts/content/content-values';
import { Button } from '#site/islands/ui/form/Button.tsx';

type Props = {
  label: string;
  hint: string;
  multiple?: boolean;
  /** Pictures only. */
  isImages?: boolean;
  kind?: 'primary' | 'secondary';
  onFiles(files: File[]): void;
  children?: ReactNode;
};

const all = uploadTypes.join(',');
const images = uploadTypes.filter((type) => type.startsWith('image/')).join(',');

/** Accepts dropped files; the button does the same without a mouse. */
export function DropZone({ label, hint, multiple, isImages, kind = 'secondary', onFiles, children }: Props) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])];
    if (chosen.length > 0) onFiles(multiple ? chosen : chosen.slice(0, 1));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition; the button inside does the same
    <div
      className={isOver ? 'drop drop-over' : 'drop'}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <div className="drop-line">
        <Button kind={kind} onClick={() => input.current?.click()}>
          {label}
        </Button>
        <span className="hint">{hint}</span>
      </div>
      <input
        type="file"
        className="drop-input"
        ref={input}
        aria-label={label}
        tabIndex={-1}
        accept={isImages ? images : all}
        multiple={multiple}
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      {children}
    </div>
  );
}
