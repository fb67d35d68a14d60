import { Component, type ReactNode } from 'react';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/notice.css';

/** Shown at an unknown address, and in place of a screen that broke. */
export function CmsError({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>Unexpected Application Error!</h1>
      <p>{children}</p>
      <div className="actions">
        {action}
        <a className={action ? 'button button-secondary' : 'button button-primary'} href="/cms">
          Go to the start
        </a>
      </div>
    </div>
  );
}

export class CmsBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    if (!this.state.isBroken) return this.props.children;
    return <CmsError>This screen could not be shown. What you wrote was kept as a draft.</CmsError>;
  }
}
