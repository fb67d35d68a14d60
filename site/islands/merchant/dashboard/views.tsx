import type { ComponentType } from 'react';
import { OpenInvoices } from '../open-invoices/OpenInvoices.tsx';

export type View = { name: string; path: string; View: ComponentType };

/** What the dashboard can show, in the order of its sidebar; its own address shows the first. */
export const views: View[] = [{ name: 'Open Invoices', path: '/openInvoices', View: OpenInvoices }];

export const viewAt = (path: string): View | undefined => views.find((view) => view.path === path) ?? views[0];
