{
  const theme = document.getElementById('theme');
  theme.value = document.documentElement.dataset.theme ?? '';
  theme.onchange = () => {
    document.documentElement.dataset.theme = theme.value;
    try {
      localStorage.theme = theme.value;
    } catch {}
  };
}
