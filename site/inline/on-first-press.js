{
  const bank = document.getElementById('bank');
  bank.dataset.shows = 'waiting';
  bank.onclick = ({ target }) => {
    if (target.value) import(bank.dataset.script).then(({ decide }) => decide(target)).catch(() => {});
  };
}
