// Fills this server's URL into the examples, copies and tries them.
import { words } from './search.js';

const keyField = document.querySelector('#key');
const keyForm = document.querySelector('.key-form');

keyForm.hidden = document.querySelector('.try') === null;
keyForm.addEventListener('submit', (event) => event.preventDefault());

// Before the reference had several pages, every operation was an anchor of the first.
const anchor = location.hash.slice(1);
const moved = [...document.querySelectorAll('.contents a')].find(({ href, id }) => {
  return anchor !== '' && (href.endsWith(`#${anchor}`) || id === anchor);
});
if (moved) location.replace(moved.href);

for (const code of document.querySelectorAll('.curl code')) {
  code.textContent = code.textContent.replace('BASE_URL', location.origin);
  addCopyButton(code);
}
for (const form of document.querySelectorAll('.try')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
}

function addCopyButton(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = words['try.copy'];
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = words['try.copied'];
    setTimeout(() => {
      button.textContent = words['try.copy'];
    }, 1500);
  });
  code.closest('figure').append(button);
}

async function send(form) {
  const status = form.querySelector('[role=status]');
  const figure = form.querySelector('figure');
  status.textContent = words['try.sending'];
  figure.hidden = true;
  // Only to this server: the key must not leave it.
  const typed = [form.elements.path.value, location.origin];
  const url = URL.canParse(...typed) ? new URL(...typed) : undefined;
  if (url?.origin !== location.origin) {
    status.textContent = words['try.elsewhere'];
    return;
  }
  try {
    const headers = keyField.value ? { 'x-api-key': keyField.value } : {};
    const response = await fetch(url, { headers });
    figure.querySelector('code').textContent = indented(await response.text());
    figure.hidden = false;
    const hint = response.status === 401 ? `: ${words['try.key']}` : '';
    status.textContent = `${response.status} ${response.statusText}${hint}`;
  } catch {
    status.textContent = words['try.failed'];
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
