{
  const { dataset } = document.documentElement;
  const theme = document.getElementById('theme');
  theme.value = dataset.theme ?? '';
  theme.onchange = () => {
    dataset.theme = theme.value;
    try {
      localStorage.theme = theme.value;
    } catch {}
  };
}
