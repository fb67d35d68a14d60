import type { ReactNode } from 'react';
import { ErrorBoundary } from '../ui/Boundary.tsx';
import { ScreenError } from '../ui/feedback/ScreenError.tsx';

export const CMS_START = '/cms';

export const CmsError = ({ children }: { children: ReactNode }) => (
  <ScreenError startPath={CMS_START}>{children}</ScreenError>
);

const errorScreen = (
  <CmsError>This screen could not be shown. If you were writing, open the text again to see what was kept.</CmsError>
);

export const CmsBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary error={errorScreen}>{children}</ErrorBoundary>
);
