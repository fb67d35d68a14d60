import { createRoot } from 'react-dom/client';
import { MerchantApp } from './MerchantApp.tsx';

// The page holds nothing that could be taken over, so it does without the loader of islands.
const place = document.getElementById('app');
if (place) createRoot(place).render(<MerchantApp />);
