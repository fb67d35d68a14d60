addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  const install = document.getElementById('install');
  install.hidden = false;
  install.onclick = ({ target }) => {
    if (target.value) event.prompt();
    install.hidden = !!target.type;
  };
});
