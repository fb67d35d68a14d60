import type { Ctx } from '@milkdown/kit/ctx';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { LinkPanel } from './LinkPanel.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import type { PasteResult } from './paste/paste-plugin.ts';
import { Toolbar } from './Toolbar.tsx';
import { createTextEditor, type TextEditor } from './text-editor.ts';
import {
  countUndescribed,
  describePicture,
  INITIAL_TOOL_STATE,
  readToolState,
  removePicture,
  setLink,
} from './tools.ts';
import '#site/styles/areas/cms/editor-text.css';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';

export type TextHandle = { html(): string; replaceWith(html: string): void; focus(): void };

type Props = {
  initial: string;
  onChange(): void;
  /** Called with the number of pictures without a description. */
  onUndescribed(count: number): void;
  ref: Ref<TextHandle>;
};

/** `files`: pictures that were pasted or dropped together, described one after the other; `total`: their number. */
type OpenPanel = { kind: 'link' } | { kind: 'picture'; files: File[]; total: number } | null;

/** Explains which parts of a paste or a drop were left out, and what to do. */
export function describeLeftOut({ local, foreign, refused }: Omit<PasteResult, 'files'>): string[] {
  const pictures = local === 1 ? 'An image was' : `${local} images were`;
  return [
    ...(local > 0
      ? [`${pictures} left out: the program did not copy the file itself. Save it there, then insert it with Image.`]
      : []),
    ...(foreign > 0 ? ['Images from other sites were left out. Upload them instead.'] : []),
    ...refused,
  ];
}

/** The text of an article, with its toolbar. */
export function TextPart({ initial, onChange, onUndescribed, ref }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>(null);
  const linkTool = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState(INITIAL_TOOL_STATE);
  const [openPanel, setOpenPanel] = useState<OpenPanel>(null);
  const onText = useEffectEvent(onChange);
  const onCount = useEffectEvent(onUndescribed);
  const [isLocked, setLocked] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns the text once it is mounted
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let isUnmounted = false;
    const creation = createTextEditor(element, initial, {
      onChange: () => onText(),
      onState: (next) => {
        if (isUnmounted) return;
        setState(readToolState(next));
        onCount(countUndescribed(next));
      },
      onFiles: ({ files, ...leftOut }) => {
        if (isUnmounted) return;
        for (const sentence of describeLeftOut(leftOut)) toast(sentence);
        if (files.length > 0) setOpenPanel({ kind: 'picture', files, total: files.length });
      },
      onLocked: (locked) => !isUnmounted && setLocked(locked),
    }).then((created) => {
      if (!isUnmounted) editor.current = created;
      return created;
    });
    return () => {
      isUnmounted = true;
      editor.current = null;
      void creation.then((created) => created.destroy());
    };
  }, []);

  useImperativeHandle(ref, () => ({
    html: () => editor.current?.html() ?? initial,
    replaceWith: (html) => editor.current?.replaceWith(html),
    focus: () => editor.current?.focus(),
  }));

  const runAction = (action: (ctx: Ctx) => void) => editor.current?.run(action);
  const focus = () => editor.current?.focus();
  const close = () => {
    setOpenPanel(null);
    focus();
  };

  /** Moves on to the next of several pictures. */
  const showNextPicture = () =>
    setOpenPanel((panel) =>
      panel?.kind === 'picture' && panel.files.length > 1 ? { ...panel, files: panel.files.slice(1) } : null,
    );
  const isNumbered = openPanel?.kind === 'picture' && openPanel.total > 1;

  return (
    <div className="text-part">
      {isLocked && (
        <Banner tone="warn" lead="This text can be read here, but not changed.">
          It has formatting that this editor would lose. Title, status and address can be changed; the text stays as it
          is.
        </Banner>
      )}
      <div className="text-head">
        {!isLocked && (
          <Toolbar
            state={state}
            linkButton={linkTool}
            isLinking={openPanel?.kind === 'link'}
            onRun={(tool, isOn) => runAction((ctx) => tool.run(ctx, isOn))}
            onLink={() => setOpenPanel({ kind: 'link' })}
            onPicture={() => setOpenPanel({ kind: 'picture', files: [], total: 0 })}
          />
        )}
        {openPanel?.kind === 'link' && (
          <LinkPanel
            owner={linkTool}
            href={state.href}
            onClose={close}
            onLeave={() => setOpenPanel(null)}
            onSet={(href) => {
              runAction((ctx) => setLink(ctx, href));
              close();
            }}
          />
        )}
      </div>
      <div className="text-body" id="content" ref={root} />
      {openPanel?.kind === 'picture' && (
        <PictureDialog
          key={openPanel.files.length}
          title={isNumbered ? `Image ${openPanel.total - openPanel.files.length + 1} of ${openPanel.total}` : undefined}
          file={openPanel.files[0] ?? null}
          editedPicture={openPanel.files.length > 0 ? null : state.picture}
          submitLabel="Insert image"
          onClose={showNextPicture}
          onClosed={focus}
          onPicked={({ localUrl, alt }, isDecorative) => {
            showNextPicture();
            editor.current?.insertPicture({ src: localUrl, alt, isDecorative });
          }}
          onDescribed={(description) => {
            runAction((ctx) => describePicture(ctx, description));
            setOpenPanel(null);
          }}
          onRemoved={() => {
            runAction(removePicture);
            setOpenPanel(null);
          }}
        />
      )}
    </div>
  );
}
