{
  const install = document.getElementById('install');
  let offer;
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer = event;
    install.hidden = false;
  });
  install.onclick = ({ target }) => {
    if (target.id === 'do-install') offer.prompt();
    install.hidden = target.type === 'button';
  };
}
