import { Component, type ReactNode } from 'react';

/** Shows `error` in place of children that fail to render. */
export class ErrorBoundary extends Component<{ error: ReactNode; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    return this.state.isBroken ? this.props.error : this.props.children;
  }
}
