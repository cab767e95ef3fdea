// Searches the index of the parts of all guides, in the page.
const most = 20;
const form = document.querySelector('.search');
const field = form.querySelector('input');
const status = form.querySelector('[role=status]');
const list = form.querySelector('ul');
const words = JSON.parse(document.body.dataset.words);
let index;

form.hidden = false;
field.addEventListener('focus', loadIndex);
field.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
list.addEventListener('click', close);
form.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    close();
    field.focus();
  } else if (step && !list.hidden) {
    event.preventDefault();
    const stops = [field, ...list.querySelectorAll('a')];
    stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus();
  }
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) list.hidden = true;
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});

async function loadIndex() {
  index ??= fetch('/docs/search.json').then((response) => response.json());
  try {
    await index;
    show();
  } catch {
    index = undefined;
    status.textContent = words['found.failed'];
  }
}

async function show() {
  const entries = await index;
  const sought = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries
    .map((entry) => ({ entry, score: scoreOf(entry, sought) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  list.replaceChildren(...found.slice(0, most).map(({ entry }) => itemOf(entry)));
  list.hidden = found.length === 0;
  status.textContent = sought.length === 0 ? '' : summaryOf(found.length);
}

function summaryOf(count) {
  if (count === 0) return words['found.none'];
  const name = count > most ? 'found.first' : count === 1 ? 'found.one' : 'found.many';
  return words[name].replace('{count}', count).replace('{most}', most);
}

/** 0 unless every word is found. Names count more than what is written below them. */
function scoreOf({ name, of, about }, sought) {
  if (sought.length === 0) return 0;
  const scores = sought.map((word) => {
    const called = name.toLowerCase();
    if (called === word) return 100;
    if (called.startsWith(word)) return 50;
    if (called.includes(word)) return 30;
    if (of.toLowerCase().includes(word)) return 10;
    return about.toLowerCase().includes(word) ? 5 : 0;
  });
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score);
}

function itemOf({ name, of, href, english }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  const title = document.createElement('strong');
  title.textContent = name;
  const place = document.createElement('span');
  place.textContent = of;
  if (english.includes('name')) title.lang = 'en';
  if (english.includes('of')) place.lang = 'en';
  link.append(title, ' ', place);
  item.append(link);
  return item;
}

function close() {
  field.value = '';
  list.hidden = true;
  status.textContent = '';
}
