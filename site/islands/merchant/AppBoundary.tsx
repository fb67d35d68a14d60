import { Component, type ReactNode } from 'react';
import { LogOut } from './LogOut.tsx';
import '../../styles/parts/button.css';
import '../../styles/parts/notice.css';

/** For an address that the app does not know, and for a screen that broke. The way back loads the page anew. */
export function AppError({ children }: { children: ReactNode }) {
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>Unexpected Application Error!</h1>
      <p>{children}</p>
      <div className="actions">
        <a className="button button-primary" href="/">
          Go to the start
        </a>
        <LogOut />
      </div>
    </div>
  );
}

export class AppBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <main id="main" className="app-main">
        <AppError>This screen could not be shown. Nothing was sent.</AppError>
      </main>
    );
  }
}
