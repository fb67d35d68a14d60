import { Today } from '#shared/contracts/today';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api } from '../api/api.ts';

const readToday = readWith(Today);

export const fetchToday = () => api.call('/api/today', readToday);
