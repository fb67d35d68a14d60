import type { Ctx } from '@milkdown/kit/ctx';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { PictureDialog } from './PictureDialog.tsx';
import { Toolbar } from './Toolbar.tsx';
import { createTextEditor, type TextEditor } from './text-editor.ts';
import { NO_STATE, readHref, readState, removePicture, setLink, setPictureAlt } from './tools.ts';
import '#site/styles/areas/cms/editor-text.css';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';

type LinkProps = { href: string | null; onSet(href: string | null): void; onClose(): void };

/** Edits the address of a link. */
export function LinkRow({ href, onSet, onClose }: LinkProps) {
  const [text, setText] = useState(href ?? '');
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      className="link-row"
      noValidate
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const address = readHref(text);
        if (address) onSet(address);
        else setError('Please enter a web address, an e-mail address or a path of this site.');
      }}
    >
      <Field
        id="link-address"
        label="Link address"
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        ref={input}
        value={text}
        error={error || undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="link-row-actions">
        <Button type="submit">Set link</Button>
        {href !== null && <Button onClick={() => onSet(null)}>Remove link</Button>}
        <Button kind="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

export type TextHandle = { html(): string; replaceWith(html: string): void; focus(): void };

type Props = {
  initial: string;
  onChange(): void;
  onForeignPictures(): void;
  ref: Ref<TextHandle>;
};

type Open = { kind: 'link' } | { kind: 'picture'; file: File | null } | null;

/** The text of an article, with its toolbar. */
export function TextPart({ initial, onChange, onForeignPictures, ref }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>(null);
  const [state, setState] = useState(NO_STATE);
  const [open, setOpen] = useState<Open>(null);
  const onText = useEffectEvent(onChange);
  const onForeign = useEffectEvent(onForeignPictures);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns the text once it is mounted
  useEffect(() => {
    const place = root.current;
    if (!place) return;
    let isGone = false;
    const making = createTextEditor(place, initial, {
      onChange: () => onText(),
      onState: (next) => !isGone && setState(readState(next)),
      onFiles: ([file]) => !isGone && file && setOpen({ kind: 'picture', file }),
      onForeignPictures: () => onForeign(),
    }).then((made) => {
      if (!isGone) editor.current = made;
      return made;
    });
    return () => {
      isGone = true;
      editor.current = null;
      void making.then((made) => made.destroy());
    };
  }, []);

  useImperativeHandle(ref, () => ({
    html: () => editor.current?.html() ?? initial,
    replaceWith: (html) => editor.current?.replaceWith(html),
    focus: () => editor.current?.focus(),
  }));

  const act = (action: (ctx: Ctx) => void) => editor.current?.run(action);
  const focus = () => editor.current?.focus();
  const close = () => {
    setOpen(null);
    focus();
  };

  return (
    <div className="text-part">
      <div className="text-head">
        <Toolbar
          state={state}
          onRun={(tool, isOn) => act((ctx) => tool.run(ctx, isOn))}
          onLink={() => setOpen({ kind: 'link' })}
          onPicture={() => setOpen({ kind: 'picture', file: null })}
        />
        {open?.kind === 'link' && (
          <LinkRow
            href={state.href}
            onClose={close}
            onSet={(href) => {
              act((ctx) => setLink(ctx, href));
              close();
            }}
          />
        )}
      </div>
      <div className="text-body" id="content" ref={root} />
      {open?.kind === 'picture' && (
        <PictureDialog
          file={open.file}
          shown={open.file ? null : state.picture}
          verb="Insert picture"
          onClose={() => setOpen(null)}
          onClosed={focus}
          onPicked={({ localUrl, alt }) => {
            setOpen(null);
            editor.current?.insertPicture({ src: localUrl, alt });
          }}
          onDescribed={(alt) => {
            act((ctx) => setPictureAlt(ctx, alt));
            setOpen(null);
          }}
          onRemoved={() => {
            act(removePicture);
            setOpen(null);
          }}
        />
      )}
    </div>
  );
}
