import { type ReactNode, useRef, useState } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { type Accepted, acceptOf, sortFiles } from './check-file.ts';

type Props = {
  label: string;
  hint: string;
  multiple?: boolean;
  accepted?: Accepted;
  kind?: 'primary' | 'secondary';
  onFiles(files: File[]): void;
  children?: ReactNode;
};

/** Accepts dropped files; the button does the same without a mouse. Says at once which files cannot be uploaded. */
export function DropZone({ label, hint, multiple, accepted = 'files', kind = 'secondary', onFiles, children }: Props) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string[]>([]);
  const take = (files: FileList | null) => {
    const { good: chosen, refused: others } = sortFiles(files ?? [], accepted);
    setRefused(others);
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
        accept={acceptOf(accepted)}
        multiple={multiple}
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      {refused.map((why) => (
        <Banner key={why} tone="bad" role="alert" lead={why} />
      ))}
      {children}
    </div>
  );
}
