import { Takings } from '#shared/contracts/takings';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api } from '../api/api.ts';

const readTakings = readWith(Takings);

export const fetchTakings = (date: string) => api.call(`/api/takings?date=${encodeURIComponent(date)}`, readTakings);
