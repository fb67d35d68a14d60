import { useEffect, useRef } from 'react';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { HelpParts } from './HelpParts.tsx';

/** Shows help in a drawer over the current screen. */
export function HelpDrawer({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      className="help-drawer"
      ref={dialog}
      aria-labelledby="help-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="help-drawer-all">
        <div className="help-drawer-head">
          <h2 id="help-title">Help</h2>
          <button type="button" onClick={onClose}>
            <Icon name="x" />
            <span className="sr-only">Close</span>
          </button>
        </div>
        <HelpParts path={window.location.pathname} heading="h3" />
      </div>
    </dialog>
  );
}
