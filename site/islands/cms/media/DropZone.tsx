import { type ReactNode, useRef, useState } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { type AcceptedFiles, acceptAttributeOf, sortFiles } from './check-file.ts';

type Props = {
  label: string;
  hint: string;
  multiple?: boolean;
  accepted?: AcceptedFiles;
  kind?: 'primary' | 'secondary';
  onFiles(files: File[]): void;
  children?: ReactNode;
};

/** Accepts dropped files, or files chosen by the button. Reports at once which files cannot be uploaded. */
export function DropZone({ label, hint, multiple, accepted = 'files', kind = 'secondary', onFiles, children }: Props) {
  const [isDragOver, setDragOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const acceptFiles = (files: FileList | null) => {
    const { good, refused: errors } = sortFiles(files ?? [], accepted);
    setRefusals(errors);
    if (good.length > 0) onFiles(multiple ? good : good.slice(0, 1));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same as dropping
    <div
      className={isDragOver ? 'drop drop-over' : 'drop'}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDragOver(true);
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragOver(false);
        acceptFiles(event.dataTransfer.files);
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
        accept={acceptAttributeOf(accepted)}
        multiple={multiple}
        onChange={({ target }) => {
          acceptFiles(target.files);
          target.value = '';
        }}
      />
      {refusals.map((error) => (
        <Banner key={error} tone="bad" role="alert" lead={error} />
      ))}
      {children}
    </div>
  );
}
