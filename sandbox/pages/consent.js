/** Keeps the list of users in sync with the account, and the account with the user. The server checks both too. */
const form = document.querySelector('form[data-consent]');
const users = form.elements.namedItem('user_id');
const groups = [...users.querySelectorAll('optgroup')];

function followHub() {
  const hub = new FormData(form).get('hub_id');
  for (const group of groups) group.hidden = group.dataset.hub !== hub;
  const ownGroup = groups.find((group) => group.dataset.hub === hub);
  if (ownGroup && !ownGroup.contains(users.selectedOptions[0])) users.value = ownGroup.firstElementChild.value;
}

function followUser() {
  const { hub } = users.selectedOptions[0].parentElement.dataset;
  form.querySelector(`input[name="hub_id"][value="${hub}"]`).checked = true;
  followHub();
}

for (const radio of form.querySelectorAll('input[name="hub_id"]')) radio.addEventListener('change', followHub);
users.addEventListener('change', followUser);
// After back or forward, the browser restores the choice, so match the users to it again.
window.addEventListener('pageshow', followHub);
