const bank = document.getElementById('bank');
const stops = bank.querySelectorAll('.line li');
const said = bank.querySelector('[role=status]');
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const STEP = 240;
// Each step: the counter's picture, the stops, the third one's name, the words, and how long it stands.
const read = ['waiting', 'done done now ahead', 'Paid', '', STEP];
const paid = (words) => [
  ['approved', 'done done done now', 'Paid', '', STEP],
  ['approved', 'done done done done', 'Paid', words],
];
const courses = {
  approved: [read, ...paid('Approved. The invoice is paid, and it cannot be charged again.')],
  declined: [
    read,
    ['declined', 'done done failed ahead', 'Declined', 'Declined. Nothing was charged. Another card may work.'],
  ],
  lost: [
    read,
    [
      'unknown',
      'done done unknown ahead',
      'Not known yet',
      'The answer was lost. The counter says so, the provider is asked, and nothing can be charged meanwhile.',
      5000,
    ],
    ...paid('The provider had approved it. The invoice is paid, and was charged once.'),
  ],
};
let timer;

function show([[picture, states, outcome, words, ms], ...rest]) {
  bank.dataset.shows = picture;
  states.split(' ').forEach((state, at) => {
    const stop = stops[at];
    stop.className = state;
    const name = stop.firstChild;
    stop.replaceChildren(name);
    if (state === 'done') stop.insertAdjacentHTML('beforeend', '<span class="sr-only">: done</span>');
    stop.setAttribute('aria-current', state === 'now' ? 'step' : 'false');
  });
  stops[2].firstChild.textContent = outcome;
  said.textContent = words;
  if (rest.length) timer = setTimeout(show, ms === STEP && calm.matches ? 0 : ms, rest);
}

/** Plays the course of the pressed button from its start. */
export function decide({ value }) {
  clearTimeout(timer);
  show(courses[value]);
}
