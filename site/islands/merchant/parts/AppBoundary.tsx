import { Component, type ReactNode } from 'react';
import { LogOut } from './LogOut.tsx';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/notice.css';

/** Shown at an unknown address, and in place of a screen that broke. Its link reloads the page. */
export function AppError({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>Unexpected Application Error!</h1>
      <p>{children}</p>
      <div className="actions">
        {action}
        <a className={action ? 'button button-secondary' : 'button button-primary'} href="/">
          Go to the start
        </a>
        <LogOut />
      </div>
    </div>
  );
}

type Props = { children: ReactNode; wrap?: (error: ReactNode) => ReactNode };

/** Shows an error in place of broken children: one around each screen keeps the navigation, one wraps the page. */
export class AppBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    const { children, wrap } = this.props;
    if (!this.state.isBroken) return children;
    const error = <AppError>This screen could not be shown. Nothing was sent.</AppError>;
    return wrap ? wrap(error) : error;
  }
}
