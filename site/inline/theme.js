try {
  document.documentElement.dataset.theme = localStorage.theme ?? '';
} catch {}
