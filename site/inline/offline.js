addEventListener('load', () => navigator.serviceWorker?.register('/sw.js').catch(() => {}));
