import { type KeyboardEvent, type ReactNode, type Ref, useRef } from 'react';
import { ToolIcon, type ToolIconName } from './ToolIcon.tsx';
import { insertTools, redoTool, type Tool, type ToolState, tableTools, tools, undoTool } from './tools.ts';

type Props = {
  state: ToolState;
  /** The button that opens the link panel. */
  linkButton: Ref<HTMLButtonElement>;
  isLinking: boolean;
  onRun(tool: Pick<Tool, 'run'>, isOn: boolean): void;
  onLink(): void;
  onPicture(): void;
};

/** The text's toolbar: one tab stop, with arrow keys between its tools. */
export function Toolbar({ state, linkButton, isLinking, onRun, onLink, onPicture }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(bar.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const current = items.findIndex((item) => item.matches(':focus'));
    const target = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: items.length - 1 }[event.key];
    if (current < 0 || target === undefined) return;
    event.preventDefault();
    const next = items[(target + items.length) % items.length];
    for (const item of items) item.tabIndex = item === next ? 0 : -1;
    next?.focus();
  };
  const run = (tool: Tool) => () => onRun(tool, state.isOn[tool.name] ?? false);

  return (
    <div
      className="tools"
      role="toolbar"
      aria-label="Formatting"
      aria-controls="content"
      ref={bar}
      onKeyDown={onKeyDown}
    >
      {tools.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups never change
        <div className="tools-group" key={index}>
          {group.map((tool) => (
            <ToolButton
              key={tool.name}
              icon={tool.name}
              label={tool.label}
              isOn={state.isOn[tool.name] ?? false}
              isFirst={tool.name === 'bold'}
              onPress={run(tool)}
            />
          ))}
        </div>
      ))}
      <div className="tools-group">
        <ToolButton
          icon="link"
          label="Link"
          isOn={state.isOn.link ?? false}
          isExpanded={isLinking}
          onPress={onLink}
          ref={linkButton}
        />
        <ToolButton
          icon="picture"
          label={state.picture ? 'Describe image' : 'Image'}
          isOn={state.picture !== null}
          onPress={onPicture}
        />
        {insertTools.map((tool) => (
          <ToolButton key={tool.name} icon={tool.name} label={tool.label} onPress={run(tool)} />
        ))}
      </div>
      <div className="tools-group">
        <ToolButton icon="undo" label="Undo" isDisabled={!state.canUndo} onPress={run(undoTool)} />
        <ToolButton icon="redo" label="Redo" isDisabled={!state.canRedo} onPress={run(redoTool)} />
      </div>
      {/* Always shown: a row that appears and disappears would move the text under the pointer. */}
      <div className="tools-group">
        {tableTools.map((tool) => (
          <ToolButton
            key={tool.label}
            label={tool.label}
            isDisabled={!state.isInTable}
            onPress={() => onRun(tool, false)}
          >
            {tool.label}
          </ToolButton>
        ))}
      </div>
    </div>
  );
}

type ButtonProps = {
  icon?: ToolIconName;
  label: string;
  isOn?: boolean;
  isDisabled?: boolean;
  isFirst?: boolean;
  /** For a tool with a panel. */
  isExpanded?: boolean;
  ref?: Ref<HTMLButtonElement>;
  onPress(): void;
  children?: ReactNode;
};

function ToolButton({ icon, label, isOn, isDisabled, isFirst, isExpanded, ref, onPress, children }: ButtonProps) {
  return (
    <button
      type="button"
      className="tool"
      tabIndex={isFirst ? 0 : -1}
      aria-label={children ? undefined : label}
      title={children ? undefined : label}
      aria-pressed={isOn}
      aria-disabled={isDisabled || undefined}
      aria-expanded={isExpanded}
      ref={ref}
      // Keeps the text selected.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        if (!isDisabled) onPress();
      }}
    >
      {icon ? <ToolIcon name={icon} /> : children}
    </button>
  );
}
