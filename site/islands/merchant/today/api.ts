import { Today } from '../../../../shared/contracts/today.ts';
import { readWith } from '../../ui/api/read-with.ts';
import { api } from '../api/api.ts';

const readToday = readWith(Today);

export const fetchToday = () => api.call('/api/today', readToday);
